import { describe, expect, it } from "vitest";

import { isHostAllowed, normalizeAllowedHost } from "../../../outgoing/allowed-hosts.ts";

describe("a host of a credential", () => {
  it.each([
    ["api.example.com", "api.example.com"],
    ["API.Example.COM", "api.example.com"],
    ["api.example.com.", "api.example.com"],
    ["localhost:8080", "localhost:8080"],
    ["api.example.com:08443", "api.example.com:8443"],
    ["*.Example.com", "*.example.com"],
    ["*.example.com:8443", "*.example.com:8443"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["ａｐｉ.example.com", "api.example.com"],
    ["[::1]:80", "[::1]:80"],
    ["127.1", "127.0.0.1"],
  ])("%s is stored as %s", (entry, stored) => {
    expect(normalizeAllowedHost(entry)).toBe(stored);
  });

  it.each([
    "",
    "*",
    "*.com",
    "*.*.example.com",
    "a.*.example.com",
    "*.127.0.0.1",
    "https://example.com",
    "example.com/path",
    "example.com?query",
    "user@example.com",
    "example.com:0",
    "example.com:65536",
    "example.com:https",
    "example.com..",
    ".example.com",
    "exa mple.com",
    "[::1",
  ])("is not %s", (entry) => {
    expect(normalizeAllowedHost(entry)).toBe(null);
  });
});

describe("an address", () => {
  it.each([
    ["https://api.example.com/v1", "api.example.com"],
    ["https://API.EXAMPLE.COM:443/v1", "api.example.com"],
    ["https://api.example.com./", "api.example.com"],
    ["https://ａｐｉ.example.com/", "api.example.com"],
    ["https://BÜCHER.example/", "xn--bcher-kva.example"],
    ["https://api.example.com:443/", "api.example.com:443"],
    ["https://api.example.com/", "api.example.com:443"],
    ["http://localhost/", "localhost"],
    ["http://localhost/", "localhost:80"],
    ["http://localhost:8080/", "localhost:8080"],
    ["http://2130706433:8080/", "127.0.0.1:8080"],
    ["http://[0:0::1]:8080/", "[::1]:8080"],
    ["https://eu.example.com/", "*.example.com"],
    ["https://a.b.example.com./", "*.example.com"],
  ])("%s is allowed by %s", (address, host) => {
    expect(isHostAllowed(address, ["other.example", host])).toBe(true);
  });

  it.each([
    ["https://evil.example/", "api.example.com"],
    ["https://evil.example/api.example.com", "api.example.com"],
    ["https://evil.example/?api.example.com", "api.example.com"],
    ["https://evil.example/#@api.example.com", "api.example.com"],
    ["https://api.example.com@evil.example/", "api.example.com"],
    ["https://evil.example\\@api.example.com/", "api.example.com"],
    ["https://api.example.com.evil.example/", "api.example.com"],
    ["https://xapi.example.com/", "api.example.com"],
    ["https://api.example.com../", "api.example.com"],
    ["https://api.example.com:8443/", "api.example.com"],
    ["http://localhost:443/", "localhost"],
    ["http://localhost:8081/", "localhost:8080"],
    ["https://localhost/", "localhost:80"],
    ["https://аpi.example.com/", "api.example.com"],
    ["https://example.com/", "*.example.com"],
    ["https://evilexample.com/", "*.example.com"],
    ["https://example.com.evil.example/", "*.example.com"],
    ["https://eu.example.com:8443/", "*.example.com"],
    ["not an address", "api.example.com"],
  ])("%s is not allowed by %s", (address, host) => {
    expect(isHostAllowed(address, ["other.example", host])).toBe(false);
  });

  it("of any kind is allowed where no hosts are known, and none where the list is empty", () => {
    expect(isHostAllowed("https://any.example/", null)).toBe(true);
    expect(isHostAllowed("https://any.example/", [])).toBe(false);
  });
});
