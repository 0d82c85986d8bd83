// A tenant's tool server that counts what was done to the world. Its path says how a tool answers:
// `/stream/<anything>` in pieces, `/stop/<anything>` with the header that ends its reply, any other in one.
// `GET /effects/<session id>` answers with what it was asked to do.
// `POST /hooks` is a hook that prints in capitals, and `GET /hooks/<session id>` has its questions; `POST /agent` gives the
// turns of an agent in code, and `GET /turns/<session id>` has their questions.
import type { ServerResponse } from "node:http";

import type { AskedTurn } from "./agent-server.ts";
import { answerTurn } from "./effect-agent.ts";
import type { AskedHook } from "./hook-server.ts";
import {
  startLoopbackServer,
  type LoopbackServer,
  type RecordedRequest,
} from "./loopback-server.ts";

/** One request for a tool's effect, which is done the moment it arrives, whoever waits for the answer. */
export interface Effect {
  readonly tool: string;
  readonly tool_call_id: string;
  readonly idempotency_key: string | null;
}

export interface EffectServer extends LoopbackServer {
  /** Oldest first. */
  effects(sessionId: string): readonly Effect[];
}

/** A request with this header takes its effect and is never answered to its end. */
export const HANG_HEADER = "x-hang";
const PIECES = ["one ", "two ", "three"];

interface ToolBody {
  readonly session_id: string;
  readonly tool_call_id: string;
  readonly name: string;
}

/** @param answerDelayMs How long a tool works before it answers, and between two pieces of an answer. */
export async function startEffectServer(answerDelayMs = 10): Promise<EffectServer> {
  const done = new Map<string, Effect[]>();
  const asked: AskedHook[] = [];
  const turns: AskedTurn[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    if (request.method === "GET") {
      const [, list, sessionId = ""] = request.path.split("/");
      const ofSession = <Asked extends { session_id: string }>(all: readonly Asked[]) =>
        all.filter(({ session_id }) => session_id === sessionId);
      if (list === "turns") return answerJson(response, ofSession(turns));
      return answerJson(response, list === "hooks" ? ofSession(asked) : effects(sessionId));
    }
    if (request.path === "/agent") {
      const question = request.body as AskedTurn;
      turns.push(question);
      return answerTurn(question, response, pause);
    }
    if (request.path === "/hooks") {
      const question = request.body as AskedHook;
      asked.push(question);
      await pause();
      const text = question.input.block?.text.toUpperCase();
      return answerJson(response, { input: { block: { text } } });
    }
    record(request);
    const isHanging = request.headers[HANG_HEADER] !== undefined;
    if (request.path.startsWith("/stream/")) await stream(response, isHanging);
    else if (!isHanging) {
      await pause();
      if (request.path.startsWith("/stop/")) response.setHeader("reprise-stop", "true");
      answerJson(response, { output: "done" });
    }
  });
  return { ...server, effects };

  function effects(sessionId: string): readonly Effect[] {
    return done.get(sessionId) ?? [];
  }

  function record({ body, headers }: RecordedRequest): void {
    const { session_id, tool_call_id, name } = body as ToolBody;
    const key = headers["idempotency-key"];
    const effect = {
      tool: name,
      tool_call_id,
      idempotency_key: key === undefined ? null : String(key),
    };
    done.set(session_id, [...effects(session_id), effect]);
  }

  function answerJson(response: ServerResponse, body: unknown): void {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }

  async function stream(response: ServerResponse, isHanging: boolean): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of isHanging ? PIECES.slice(0, 1) : PIECES) {
      response.write(`data: ${JSON.stringify({ delta: piece })}\n\n`);
      await pause();
    }
    if (!isHanging) response.end();
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, answerDelayMs));
  }
}
