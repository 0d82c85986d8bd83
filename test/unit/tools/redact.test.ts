// Other servers' words about a failure, before people see them.
import { describe, expect, it } from "vitest";

import { redact } from "../../../outgoing/redact.ts";

describe("redact", () => {
  it.each([
    ["the secret that was sent", "wrong key hunter2hunter2!", "hunter2hunter2"],
    ["the secret in JSON", String.raw`got "a\"b\\cdefg"`, String.raw`a"b\cdefg`],
    ["the secret in an address", "at /a%2Fb%3Dcdefgh/x", "a/b=cdefgh"],
    ["the secret in PHP's JSON", String.raw`got "a\/b\/cdefgh"`, "a/b/cdefgh"],
    ["the secret in base64", `got ${btoa("hunter2hunter2")}`, "hunter2hunter2"],
    [
      "the secret behind one character in base64",
      `got ${btoa(":hunter2hunter2")}`,
      "hunter2hunter2",
    ],
    ["the secret behind a name in base64", `got ${btoa("ab:hunter2hunter2")}`, "hunter2hunter2"],
    [
      "the secret in base64 for addresses",
      `got ${btoa("hunter2?>>hunter2").replace("/", "_")}`,
      "hunter2?>>hunter2",
    ],
  ])("removes %s", (_, text, secret) => {
    const shown = redact(text, [secret]);

    expect(shown).toContain("[redacted]");
    expect(shown).not.toMatch(/hunter2|cdefg|nRlcj|50ZXI|udGVy/);
  });

  it.each([
    ["Authorization: Bearer abc.def-123", "abc.def-123"],
    ["bearer QUJDREVG== was refused", "QUJDREVG"],
    ["use Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ["Incorrect API key provided: sk-proj-abcdefghijklmnop.", "abcdefghij"],
    ["key AIzaSyA1234567890abcdef is blocked", "SyA1234567890"],
    ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired", "eyJzdWIi"],
    ['{"api_key":"abcdef123"}', "abcdef123"],
    [String.raw`{\"api-key\": \"abcdef123\"}`, "abcdef123"],
    ["password=geheim&x=1", "geheim"],
    ["see https://a.example/path?sig=abc123#frag456", "abc123"],
    ["see https://a.example/path?sig=abc123#frag456", "frag456"],
    ["wss://user:geheim@a.example/", "geheim"],
  ])("in %j leaves nothing of %s", (text, secret) => {
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain("[redacted]");
  });

  it("keeps ordinary words, hosts and paths", () => {
    const texts = [
      "This model's maximum context length is 8192 tokens; see https://a.example/docs.",
      "The skeleton of ctx_length was skippable by ghostwriters",
    ];

    for (const text of texts) expect(redact(text)).toBe(text);
  });

  it("is one line without control or direction characters, whole characters, and bounded", () => {
    const shown = redact(`a\n\u001b[31mb\r\u202ec\u0000${"😀".repeat(600)}`);

    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(shown.length).toBeLessThanOrEqual(500);
    expect(shown.isWellFormed()).toBe(true);
  });

  it("does not show the half of a secret where a long text is cut", () => {
    const secret = "s3cr3t-".repeat(30);
    const filler = "https://a.example/?x=".padEnd(19_900, "y");

    expect(redact(`${filler} ${secret}`, [secret])).not.toContain("s3cr3t");
  });

  it("does not show it at any other place of a long text either", () => {
    const secret = "s3cr3t-".repeat(30);
    for (let length = 17_600; length < 20_100; length += 50) {
      const filler = "https://a.example/?x=".padEnd(length, "y");
      const text = `${filler} ${secret} ${"z".repeat(5_000)}`;

      expect(redact(text, [secret])).not.toContain("s3cr3t");
    }
  });

  it("ends soon for ten million characters of anything", () => {
    for (const text of ["a", "https://", "token=", "Bearer ", "eyJ", "://@", " "]) {
      const long = text.repeat(Math.ceil(10_000_000 / text.length));
      expect(redact(long, ["a secret of a key"]).length).toBeLessThanOrEqual(500);
    }
  });
});
