// The naive design: an object that writes each token as a row, then sends it.
import { DurableObject } from "cloudflare:workers";

import { readChatTokens } from "../model/read-chat-tokens.ts";
import { countWrittenRows } from "./count-written-rows.ts";

interface PeerEnv {
  readonly SESSION: DurableObjectNamespace<Session>;
  /** URL of the mock model's chat completions. */
  readonly MODEL: string;
}

export class Session extends DurableObject<PeerEnv> {
  readonly #counter = countWrittenRows(this.ctx.storage);

  constructor(ctx: DurableObjectState, env: PeerEnv) {
    super(ctx, env);
    // The cheapest table: one billed row per written row.
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, data TEXT)");
  }

  async rowsWritten(): Promise<number> {
    return this.#counter.written;
  }

  override async fetch(request: Request): Promise<Response> {
    const headers = { "content-type": "application/json" };
    const body = await request.text();
    const answer = await fetch(this.env.MODEL, { method: "POST", headers, body });
    const { readable, writable } = new IdentityTransformStream();
    this.ctx.waitUntil(this.#copy(answer, writable));
    return new Response(readable, { headers: { "content-type": "text/event-stream" } });
  }

  async #copy(answer: Response, writable: WritableStream<Uint8Array>): Promise<void> {
    const encoder = new TextEncoder();
    const writer = writable.getWriter();
    let seq = 0;
    for await (const delta of readChatTokens(answer)) {
      seq += 1;
      const data = JSON.stringify({ seq, delta });
      this.ctx.storage.sql.exec("INSERT INTO events (seq, data) VALUES (?, ?)", seq, data);
      // Output gates make this stream wait for storage.
      await writer.write(encoder.encode(`id: ${seq}\ndata: ${data}\n\n`));
    }
    await writer.close();
  }
}

export default {
  async fetch(request, env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const session = env.SESSION.get(env.SESSION.idFromName(searchParams.get("session") ?? ""));
    if (pathname === "/rows") return Response.json(await session.rowsWritten());
    return session.fetch(request);
  },
} satisfies ExportedHandler<PeerEnv>;
