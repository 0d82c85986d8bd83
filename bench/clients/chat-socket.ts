// Load client for Cloudflare's chat agents: their WebSocket protocol.
import { randomUUID } from "node:crypto";

import { TokenReader } from "./token-reader.ts";

export interface ChatSocket {
  /** Sends a user message and reads the complete answer. */
  say(text: string): Promise<TokenReader>;
  close(): void;
}

const ANSWER = "cf_agent_use_chat_response";
/** The last message that an agent sends on a new connection of an empty chat. */
const GREETING = "cf_agent_mcp_servers";

export async function openChatSocket(url: string): Promise<ChatSocket> {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  let hear: (text: string) => void = (text) => {
    if (text.includes(GREETING)) greeted.resolve();
  };
  let fail: (error: Error) => void = opened.reject;
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("message", ({ data }) => hear(String(data)));
  socket.addEventListener("error", () => fail(new Error(`${url} failed`)));
  socket.addEventListener("close", ({ code }) => fail(new Error(`${url} was closed: ${code}`)));
  await opened.promise;
  await greeted.promise;
  return {
    say: (text) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        const message = { id: randomUUID(), role: "user", parts: [{ type: "text", text }] };
        const reader = new TokenReader(ANSWER);
        fail = reject;
        hear = (data) => {
          if (!data.includes(ANSWER)) return;
          reader.read(data);
          // Searches the text: parsing each message would add the client's cost to the measurement.
          if (data.includes('"error":true')) reject(new Error(data));
          else if (data.includes('"done":true')) resolve(reader);
        };
        const init = {
          method: "POST",
          body: JSON.stringify({ messages: [message], trigger: "submit-message" }),
        };
        socket.send(JSON.stringify({ type: "cf_agent_use_chat_request", id, init }));
      }),
    close: () => socket.close(),
  };
}

export interface ChatReplay {
  /** Milliseconds from connecting to the last replayed token. */
  readonly ms: number;
  /** Tokens received in order. */
  readonly tokens: number;
}

/** Milliseconds after which no replay is expected: the answer or its agent has ended. */
const REPLAY_MS = 30_000;

/** A client that reconnects during an answer and receives the missed part. */
export function replayChat(url: string): Promise<ChatReplay> {
  return new Promise((resolve, reject) => {
    const startedAtMs = performance.now();
    const socket = new WebSocket(url);
    const reader = new TokenReader(ANSWER);
    const timer = setTimeout(() => {
      socket.close();
      reject(new Error(`${url} sent nothing again`));
    }, REPLAY_MS);
    socket.addEventListener("close", () => clearTimeout(timer));
    socket.addEventListener("error", () => reject(new Error(`${url} failed`)));
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      if (text.includes("cf_agent_stream_resuming")) {
        const { id } = JSON.parse(text) as { id: string };
        socket.send(JSON.stringify({ type: "cf_agent_stream_resume_ack", id }));
      } else if (text.includes('"replayComplete":true')) {
        resolve({ ms: performance.now() - startedAtMs, tokens: reader.agesMs.length });
        socket.close();
      } else if (text.includes(ANSWER)) reader.read(text);
    });
  });
}
