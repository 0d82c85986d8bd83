// A receiver of webhooks that takes what is posted and says nothing: the slowest that a tenant can be.
import { createServer, type ServerResponse } from "node:http";

export interface HangingReceiver {
  /** `http://127.0.0.1:<port>`, no slash at the end. Each path counts for itself. */
  readonly url: string;
  /** Paths of the requests so far, oldest first. */
  readonly begun: readonly string[];
  /** The most requests that were open at a time: of one path, and of all. */
  readonly most: { readonly ofPath: number; readonly ofAll: number };
  /** Resolves as soon as as many have begun. */
  waitFor(count: number): Promise<void>;
  /** Answers all that hang, and from now on at once, with 200. */
  release(): void;
  stop(): Promise<void>;
}

export async function startHangingReceiver(): Promise<HangingReceiver> {
  const begun: string[] = [];
  const open = new Map<ServerResponse, string>();
  const most = { ofPath: 0, ofAll: 0 };
  const waiting = new Set<() => void>();
  let isReleased = false;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    request.resume();
    response.on("error", () => {});
    response.on("close", () => open.delete(response));
    begun.push(path);
    open.set(response, path);
    const ofPath = [...open.values()].filter((other) => other === path).length;
    most.ofPath = Math.max(most.ofPath, ofPath);
    most.ofAll = Math.max(most.ofAll, open.size);
    if (isReleased) response.writeHead(200).end();
    for (const wake of waiting) wake();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    begun,
    most,
    waitFor: (count) =>
      new Promise((resolve) => {
        function look(): void {
          if (begun.length < count) return;
          waiting.delete(look);
          resolve();
        }
        waiting.add(look);
        look();
      }),
    release() {
      isReleased = true;
      for (const response of open.keys()) response.writeHead(200).end();
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
