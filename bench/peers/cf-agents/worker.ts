// Cloudflare's `agents` with `@cloudflare/ai-chat`, used as their first example does, with all their defaults.
import { AIChatAgent } from "@cloudflare/ai-chat";
import { routeAgentRequest, type AgentContext } from "agents";
import { convertToModelMessages, streamText } from "ai";

import { addCounter, countRequest, objectUsage } from "../../worker/count-object-requests.ts";
import { countWrittenRows, type RowCounter } from "../../worker/count-written-rows.ts";
import { createMockLanguageModel } from "./mock-language-model.ts";

interface Env {
  readonly ChatAgent: DurableObjectNamespace<ChatAgent>;
  /** Address of the mock model. */
  readonly MODEL: string;
}

export class ChatAgent extends AIChatAgent<Env> {
  readonly #counter: RowCounter;

  constructor(ctx: AgentContext, env: Env) {
    const counter = addCounter(countWrittenRows(ctx.storage));
    super(ctx, env);
    this.#counter = counter;
  }

  override async onChatMessage(): Promise<Response> {
    const result = streamText({
      model: createMockLanguageModel(this.env.MODEL),
      messages: await convertToModelMessages(this.messages),
    });
    return result.toUIMessageStreamResponse();
  }

  async rowsWritten(): Promise<number> {
    return this.#counter.written;
  }

  async storedBytes(): Promise<number> {
    return this.ctx.storage.sql.databaseSize;
  }
}

export default {
  async fetch(request, env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/bench/rows") {
      const id = env.ChatAgent.idFromName(searchParams.get("session") ?? "");
      return Response.json(await env.ChatAgent.get(id).rowsWritten());
    }
    if (pathname === "/bench/bytes") {
      const id = env.ChatAgent.idFromName(searchParams.get("session") ?? "");
      return Response.json(await env.ChatAgent.get(id).storedBytes());
    }
    if (pathname === "/bench/objects") return Response.json(objectUsage());
    // The upgrade to its WebSocket.
    countRequest();
    return (await routeAgentRequest(request, env)) ?? new Response(null, { status: 404 });
  },
} satisfies ExportedHandler<Env>;
