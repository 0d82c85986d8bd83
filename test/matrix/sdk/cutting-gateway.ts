// A reverse proxy between a runtime and the platform that loses connections at set places, whatever connections the
// runtime keeps open: cutting-proxy.ts counts these, and each runtime has other habits.
import { readFileSync } from "node:fs";
import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { extname, join } from "node:path";

export interface CuttingGateway {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** Connections that were lost, in order. */
  readonly losses: readonly ("stream" | "page")[];
  stop(): Promise<void>;
}

/** Bytes of each of the first streams after which it is cut: inside the first events, and later inside another one. */
const STREAM_CUTS = [700, 1_500];
/** Answers with a page of events that are lost whole: the second one, and a later one. */
const LOST_PAGES = [1, 4];
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** @param appFolder What `/app/` shows, for a page of the same origin. */
export async function startCuttingGateway(
  targetUrl: string,
  appFolder: string,
): Promise<CuttingGateway> {
  const target = new URL(targetUrl);
  const losses: ("stream" | "page")[] = [];
  let streams = 0;
  let pages = 0;

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url = "/", headers } = incoming;
    if (url.startsWith("/app/")) {
      response.writeHead(200, { "content-type": TYPES[extname(url)] ?? "text/plain" });
      response.end(readFileSync(join(appFolder, url.slice("/app/".length))));
      return;
    }
    const { hostname, port } = target;
    const onward = send({ hostname, port, method, path: url, headers, agent: false }, (answer) =>
      passAnswer(url, answer, response),
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  function passAnswer(url: string, answer: IncomingMessage, response: ServerResponse): void {
    answer.on("error", () => response.destroy());
    const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
    if (/\/events\?.*\blimit=/.test(url) && LOST_PAGES.includes(pages++)) {
      losses.push("page");
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    const cutAt = isStream ? STREAM_CUTS[streams++] : undefined;
    if (cutAt === undefined) {
      answer.pipe(response);
      return;
    }
    let passed = 0;
    answer.on("data", (bytes: Buffer) => {
      if (passed >= cutAt) return;
      const part = bytes.subarray(0, cutAt - passed);
      passed += part.length;
      response.write(part, () => {
        if (passed < cutAt || response.destroyed) return;
        losses.push("stream");
        response.destroy();
      });
    });
    answer.on("end", () => response.end());
  }

  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the gateway has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    losses,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
