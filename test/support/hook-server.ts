// A tenant's server for hooks: it keeps the questions, and answers each as the test says.
import type { ShownModelRequest } from "../../agent/hooks/hook-runner.ts";
import { startLoopbackServer, type RecordedRequest } from "./loopback-server.ts";

/** A question as it comes over the wire. */
export interface AskedHook {
  readonly id: string;
  readonly hook: string;
  readonly point: string;
  readonly session_id: string;
  readonly reply_id: string | null;
  readonly end_user_id: string | null;
  readonly input: {
    readonly messages?: readonly {
      readonly id: string;
      readonly content: readonly { text: string }[];
    }[];
    readonly iteration?: number;
    readonly request?: ShownModelRequest;
    readonly note?: string;
    readonly tool_call?: { readonly id: string; readonly name: string; readonly input: unknown };
    readonly block?: { readonly id: string; readonly type: string; readonly text: string };
  };
  readonly output?: {
    readonly blocks?: readonly {
      readonly id: string;
      readonly type: string;
      readonly text: string;
    }[];
    readonly state?: string;
    readonly text?: string;
  };
}

export interface HookServer {
  readonly url: string;
  /** Oldest first. */
  readonly asked: readonly AskedHook[];
  readonly requests: readonly RecordedRequest[];
  stop(): Promise<void>;
}

/** @param answer The JSON of the answer, also later; undefined for an empty body. */
export async function startHookServer(
  answer: (asked: AskedHook, count: number) => unknown,
): Promise<HookServer> {
  const asked: AskedHook[] = [];
  const requests: RecordedRequest[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const question = request.body as AskedHook;
    asked.push(question);
    requests.push(request);
    const answered = await answer(question, asked.length);
    response.writeHead(answered === undefined ? 204 : 200, { "content-type": "application/json" });
    response.end(answered === undefined ? undefined : JSON.stringify(answered));
  });
  return { url: server.url, asked, requests, stop: () => server.stop() };
}
