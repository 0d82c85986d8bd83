// A platform that does exactly what a test says, request by request.
import type { ServerResponse } from "node:http";

import { onTestFinished } from "vitest";

import { Reprise, type RepriseOptions } from "../../sdk/index.ts";
import { startLoopbackServer, type RecordedRequest } from "../support/loopback-server.ts";
import { QUICK } from "./desk.ts";

export type Scene = (response: ServerResponse, request: RecordedRequest) => void;

/** A platform that plays one scene for each request, the last one again and again. */
export async function startStage(scenes: readonly Scene[], options: Partial<RepriseOptions> = {}) {
  const requests: (RecordedRequest & { readonly atMs: number })[] = [];
  const server = await startLoopbackServer((request, response) => {
    requests.push({ ...request, atMs: performance.now() });
    scenes[Math.min(requests.length, scenes.length) - 1]?.(response, request);
  });
  onTestFinished(() => server.stop());
  const reprise = new Reprise({
    apiKey: "rk_test_x",
    baseUrl: server.url,
    reconnect: QUICK,
    ...options,
  });
  return { reprise, requests, url: server.url };
}

export function json(status: number, body: object, headers: Record<string, string> = {}): Scene {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  };
}

export function refuse(status: number, headers: Record<string, string> = {}): Scene {
  return json(status, { code: "unavailable", detail: "away", request_id: "req_1" }, headers);
}

export const cut: Scene = (response) => void response.destroy();

/** An event stream that ends cleanly, or is cut. */
export function stream(text: string, { isCut = false } = {}): Scene {
  return (response) => {
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "reprise-reply-id": "rep_1",
    });
    response.write(text, () => (isCut ? response.destroy() : response.end()));
  };
}

export function frame(seq: number, type: string, more: object = {}): string {
  const event = { type, reply_id: "rep_1", seq, created_at: "T", ...more };
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The error that a promise rejects with; null when it does not. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}
