// A tenant's receiver of webhooks, on loopback. Its addresses say how it answers: `/<name>/503,200` gives 503 to the
// first POST and 200 to each one after it; `?retry-after=120` goes with every answer. `GET` of the same address
// answers with all that was posted there.
import {
  startLoopbackServer,
  type LoopbackServer,
  type RecordedRequest,
} from "./loopback-server.ts";

export interface WebhookReceiver extends LoopbackServer {
  /** Requests that were posted to this path, oldest first. */
  received(path: string): readonly RecordedRequest[];
  /** Resolves with them as soon as there are as many. */
  waitFor(path: string, count: number): Promise<readonly RecordedRequest[]>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: RecordedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = await startLoopbackServer((request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(received(request.path)));
      return;
    }
    requests.push(request);
    for (const wake of waiting) wake();
    const url = new URL(request.path, "http://receiver.test");
    const answers = (url.pathname.split("/")[2] ?? "200").split(",");
    const answer = answers[Math.min(received(request.path).length, answers.length) - 1];
    if (answer === "hang") return;
    const retryAfter = url.searchParams.get("retry-after");
    response.writeHead(Number(answer), {
      location: `${server.url}/elsewhere/200`,
      ...(retryAfter !== null && { "retry-after": retryAfter }),
    });
    response.end("what a receiver says is not read");
  });
  return { ...server, received, waitFor };

  function received(path: string): readonly RecordedRequest[] {
    return requests.filter((request) => request.path === path);
  }

  function waitFor(path: string, count: number): Promise<readonly RecordedRequest[]> {
    return new Promise((resolve) => {
      function look(): void {
        if (received(path).length < count) return;
        waiting.delete(look);
        resolve(received(path));
      }
      waiting.add(look);
      look();
    });
  }
}
