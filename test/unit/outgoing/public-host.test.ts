// Each address as somebody may write it: `URL` reads it first, as it does at the door.
import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { findRefusal } from "../../../outgoing/outgoing.ts";
import { findHostRefusal } from "../../../outgoing/public-host.ts";
import { SPECIAL_NAMES } from "../../../outgoing/special-names.ts";

function isPublicHost(hostname: string): boolean {
  return findHostRefusal(hostname) === null;
}

function isPublic(host: string): boolean {
  return isPublicHost(new URL(`https://${host}/`).hostname);
}

const refused: Readonly<Record<string, readonly string[]>> = {
  "this network and what is unspecified": ["0.0.0.0", "0", "0x0", "0.1.2.3", "[::]", "[0:0::0]"],
  "loopback, however its numbers are written": [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.255.255.255",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.01",
    "127.0x0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::0001]",
  ],
  "private networks": [
    "10.0.0.0",
    "10.255.255.255",
    "0xa000001",
    "012.1",
    "172.16.0.1",
    "172.31.255.255",
    "2886729729",
    "192.168.0.1",
    "192.168.255.255",
    "0300.0250.1",
    "[fc00::1]",
    "[fdff:ffff::1]",
    "[fec0::1]",
  ],
  "a carrier's addresses": ["100.64.0.0", "100.127.255.255", "0x64400001"],
  "link-local": ["169.254.0.1", "169.254.255.255", "[fe80::1]", "[febf::1]"],
  "metadata of clouds": [
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0xa9.0xfe.0xa9.0xfe",
    "0251.0376.0251.0376",
    "169.16689662",
    "169.254.170.2",
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "metadata.google.internal",
    "metadata",
  ],
  "multicast, broadcast and what is reserved": [
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    "192.0.0.1",
    "192.88.99.1",
    "[ff02::1]",
    "[100::1]",
    "[5f00::1]",
    "[2001:20::1]",
  ],
  "documentation and measurements": [
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.255",
    "198.18.0.1",
    "198.19.255.255",
    "[2001:db8::1]",
    "[2001:2::1]",
    "[3fff::1]",
    "[3fff:fff::1]",
  ],
  "addresses of IPv6 that stand for one of IPv4": [
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[0:0:0:0:0:ffff:192.168.0.1]",
    "[::ffff:0:10.0.0.1]",
    "[::127.0.0.1]",
    "[::10.0.0.1]",
    "[::8.8.8.8]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a00:1]",
    "[64:ff9b:1::8.8.8.8]",
    "[2002:7f00:1::]",
    "[2002:a00:1::1]",
    "[2002:c0a8:101::1]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[2001::f5ff:fffe]",
  ],
  "names of this machine, of a network and of nobody": [
    "localhost",
    "localhost.",
    "localhost..",
    "LOCALHOST",
    "ⓛⓞcalhost",
    "%6cocalhost",
    "shop.localhost",
    "shop.localhost.",
    "printer.local",
    "printer.local.",
    "PRINTER.LOCAL",
    "vault.internal",
    "a.b.internal.",
    "a.b。internal",
    "internal",
    "local",
    "router.home.arpa",
    "home.arpa",
    "intranet",
    "intranet.",
    "kubernetes",
    ".",
  ],
  "names of special use, and of private networks": SPECIAL_NAMES.flatMap((name) => [
    name,
    `shop.${name}`,
    `a.b.SHOP.${name.toUpperCase()}.`,
    `shop。${name}`,
  ]),
};

const open: readonly string[] = [
  "1.0.0.1",
  "8.8.8.8",
  "8.8.8.8.",
  "0x08080808",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "168.63.129.15",
  "168.63.129.17",
  "169.253.255.255",
  "169.255.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "191.255.255.255",
  "192.0.1.1",
  "192.0.3.1",
  "192.88.98.1",
  "192.88.100.1",
  "192.167.255.255",
  "192.169.0.1",
  "198.17.255.255",
  "198.20.0.1",
  "198.51.99.1",
  "198.51.101.1",
  "203.0.112.1",
  "203.0.114.1",
  "223.255.255.255",
  "[2606:4700::1111]",
  "[2606:4700:4700:0:0:0:0:1111]",
  "[2001:200::1]",
  "[2001:4860:4860::8888]",
  "[2001:db7::1]",
  "[2001:db9::1]",
  "[2003::1]",
  "[2a00:1450:4001:81b::200e]",
  "[3ffe:ffff::1]",
  "[3fff:1000::1]",
  "[::ffff:8.8.8.8]",
  "[64:ff9b::8.8.8.8]",
  "[2002:808:808::1]",
  "example.com",
  "EXAMPLE.com.",
  "internal.example.com",
  "localhost.example.com",
  "local.example.com",
  "xlocal.example.com",
  "shop.notlocal",
  "shop.myinternal",
  "arpa.example.com",
  "xhome.arpa",
  "127.0.0.1.example.com",
  "10.0.0.1.nip.io",
  "bücher.example.com",
  "corp.com",
  "shop.xcorp",
  "home.org",
  "mail.example.com",
  "shop.test.com",
  "cluster.local.com",
  "shop.testing",
];

describe("a host that the Internet does not have", () => {
  it.each(Object.entries(refused))("is one of %s", (_, hosts) => {
    expect(hosts.filter(isPublic)).toEqual([]);
  });

  it("is refused by https outside the local environment, with a port or without", () => {
    const hosts = Object.values(refused).flat();
    const reached = hosts.filter((host) =>
      [`https://${host}/x`, `https://${host}:8443/x`].some(
        (address) => findRefusal(address, { environment: "production" }) === null,
      ),
    );

    expect(reached).toEqual([]);
    expect(hosts.length).toBeGreaterThan(60);
  });

  it("is refused in the local environment too, unless it is this machine", () => {
    const hosts = Object.values(refused).flat();
    const reached = hosts.filter(
      (host) => findRefusal(`https://${host}/x`, { environment: "local" }) === null,
    );
    const names = new Set(reached.map((host) => new URL(`https://${host}`).hostname));

    expect([...names].toSorted()).toEqual([
      "127.0.0.1",
      "127.255.255.255",
      "[::1]",
      "localhost",
      "localhost.",
    ]);
  });
});

describe("a host of the Internet", () => {
  it("is reached, however near it is to one that is not", () => {
    expect(open.filter((host) => !isPublic(host))).toEqual([]);
  });

  it("is reached from every environment", () => {
    const environments = ["local", "production", "staging"];
    const reasons = environments.flatMap((environment) =>
      open.map((host) => findRefusal(`https://${host}/x`, { environment })),
    );

    expect(new Set(reasons)).toEqual(new Set([null]));
  });
});

describe("the names that the documentation lists", () => {
  it("are those that are refused, in their order", () => {
    const text = readFileSync("docs/tools/http.md", "utf8");
    const [, iana, own] =
      /special-use names of IANA \(([^)]*)\) and names of private networks \(([^)]*)\)/.exec(
        text,
      ) ?? [];
    const listed = `${iana}, ${own}`.split(", ").map((name) => name.replaceAll("`", ""));

    expect(listed).toEqual(SPECIAL_NAMES);
  });
});

describe("a name that the deployment allows", () => {
  const reached = (host: string, allowedNames: string) =>
    findRefusal(`https://${host}/x`, { environment: "production", allowedNames }) === null;

  it("is reached with all below it, and no other is", () => {
    const names = " Corp, .vault.internal,*.example., ";
    const hosts = [
      "corp",
      "wiki.corp",
      "WIKI.corp.",
      "vault.internal",
      "a.vault.internal",
      "x.example",
    ];
    const others = [
      "xcorp",
      "internal",
      "other.internal",
      "xvault.internal",
      "shop.test",
      "10.0.0.1",
    ];

    expect([
      hosts.filter((host) => !reached(host, names)),
      others.filter((host) => reached(host, names)),
    ]).toEqual([[], []]);
  });

  it("is never this machine, nor an address", () => {
    const names = "localhost,1,127.0.0.1,0.0.1";

    expect(
      ["localhost", "shop.localhost", "127.0.0.1", "[::1]"].filter((host) => reached(host, names)),
    ).toEqual([]);
  });
});

describe("what is no host as URL writes it", () => {
  it("counts as not public", () => {
    const hosts = [
      "",
      "[",
      "[]",
      "[::1",
      "[1:2]",
      "[::g]",
      "[2606:1:2:3:4:5:6:7:8]",
      "[2606::2::3]",
      "[2606::47000]",
      "[2606::1:]",
      "127.0.0.256",
    ];

    expect(hosts.filter(isPublicHost)).toEqual([]);
  });
});
