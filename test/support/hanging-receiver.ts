// A receiver of webhooks that takes what is posted and says nothing: the slowest that a tenant can be.
import { createServer, type ServerResponse } from "node:http";

export interface HangingReceiver {
  /** `http://127.0.0.1:<port>`, no slash at the end. Each path counts for itself. */
  readonly url: string;
  /** Paths of the requests so far, oldest first. */
  readonly begun: readonly string[];
  /** The most requests that were open at a time: of one path, and of all. */
  readonly most: { readonly ofPath: number; readonly ofAll: number };
  /** The `webhook-id` of each message that was answered. */
  readonly answered: ReadonlySet<string>;
  /** Resolves as soon as that is so; looks at each request. */
  waitUntil(isSo: () => boolean): Promise<void>;
  /** Answers all that hang, and from now on at once, with 200. */
  release(): void;
  stop(): Promise<void>;
}

const ROUNDS = 20;

export async function startHangingReceiver(): Promise<HangingReceiver> {
  const begun: string[] = [];
  const answered = new Set<string>();
  const open = new Map<ServerResponse, string>();
  const ids = new WeakMap<ServerResponse, string>();
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
    void count(path);
    ids.set(response, String(request.headers["webhook-id"]));
    if (isReleased) answer(response);
    for (const wake of waiting) wake();
  });
  /**
   * Connections that had ended when this one came are reported within some rounds of this process, however busy it is.
   */
  async function count(path: string): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const ofPath = [...open.values()].filter((other) => other === path).length;
    most.ofPath = Math.max(most.ofPath, ofPath);
    most.ofAll = Math.max(most.ofAll, open.size);
  }
  function answer(response: ServerResponse): void {
    answered.add(ids.get(response) ?? "");
    response.writeHead(200).end();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    begun,
    answered,
    most,
    waitUntil: (isSo) =>
      new Promise((resolve) => {
        function look(): void {
          if (!isSo()) return;
          waiting.delete(look);
          resolve();
        }
        waiting.add(look);
        look();
      }),
    release() {
      isReleased = true;
      for (const response of open.keys()) answer(response);
      for (const wake of waiting) wake();
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
