// A Nacos registry's HTTP API of agents, as its public pages and sources describe it (a2a/cards/nacos-card.ts names them).
// Not made from a real registry.
import { startLoopbackServer, type RecordedRequest } from "../loopback-server.ts";

export interface FakeNacos {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  stop(): Promise<void>;
}

interface Registered {
  readonly namespace?: string;
  readonly version?: string;
  readonly card: Readonly<Record<string, unknown>>;
}

/** @param account `user:password`; without it everyone may ask. */
export async function startFakeNacos(
  agents: Readonly<Record<string, Registered>>,
  account?: string,
): Promise<FakeNacos> {
  const requests: RecordedRequest[] = [];
  const server = await startLoopbackServer((request, response) => {
    requests.push(request);
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const { pathname, searchParams } = new URL(request.path, "http://nacos");
    if (pathname === "/nacos/v3/auth/user/login") {
      const form = new URLSearchParams(request.text);
      const isKnown = `${form.get("username")}:${form.get("password")}` === account;
      return isKnown
        ? json(200, { accessToken: "registry-token", tokenTtl: 18_000, globalAdmin: true })
        : json(403, { code: 403, message: "unknown user!" });
    }
    if (pathname !== "/nacos/v3/admin/ai/a2a") return json(404, { code: 404 });
    if (account !== undefined && request.headers["accesstoken"] !== "registry-token") {
      return json(403, { code: 10_001, message: "access denied", data: null });
    }
    const found = agents[searchParams.get("agentName") ?? ""];
    const isNamed =
      found !== undefined &&
      (found.namespace ?? "public") === searchParams.get("namespaceId") &&
      (searchParams.get("version") ?? found.version) === found.version;
    if (!isNamed) return json(404, { code: 20_004, message: "resource not found", data: null });
    // The registry writes members that a card lacks as null, and adds its own.
    const data = { protocolVersion: null, iconUrl: null, security: null, ...found.card };
    return json(200, { code: 0, message: "success", data: { ...data, registrationType: "URL" } });
  });
  return { url: server.url, requests, stop: () => server.stop() };
}
