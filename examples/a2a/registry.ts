// A Nacos registry with one agent, as its public pages have it. A real one has the agents of a whole company.
import { createServer } from "node:http";

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

export async function startRegistry(name: string, card: object): Promise<Registry> {
  const server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://registry");
    const isFound =
      pathname === "/nacos/v3/admin/ai/a2a" &&
      searchParams.get("namespaceId") === "public" &&
      searchParams.get("agentName") === name;
    response.writeHead(isFound ? 200 : 404, { "content-type": "application/json" });
    const body = isFound
      ? { code: 0, message: "success", data: { ...card, registrationType: "URL" } }
      : { code: 20_004, message: "resource not found", data: null };
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
