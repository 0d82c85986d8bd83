// A session with the scripted model, over the public API.
import { readStream } from "./clients/read-stream.ts";
import type { Reprise } from "./peers/reprise.ts";

export interface ScriptedSession {
  /** Runs a reply to its end. @returns its last position. */
  reply(input: string): Promise<{ cursor: number }>;
  /** @param path Relative to the session's path; the response is read completely. */
  get(path: string): Promise<void>;
  /** Reads the stream from a position to its end. */
  stream(after: number): Promise<void>;
}

export async function openScriptedSession(reprise: Reprise): Promise<ScriptedSession> {
  const { api, key } = reprise.tenant;
  // An agent without a model uses the scripted one.
  const agent = await reprise.createAgent({ model: undefined });
  const { id } = await reprise.openSessionOf(agent);
  const base = `/v1/sessions/${id}`;
  return {
    async reply(input) {
      const { body, status } = await api.call("POST", `${base}/replies`, { input });
      if (status !== 200) throw new Error(`a reply was answered with ${status}`);
      return { cursor: Number(body?.["cursor"]) };
    },
    get: (path) => read(path, "application/json"),
    stream: (after) => read(`/events?after=${after}`, "text/event-stream"),
  };

  async function read(path: string, accept: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, accept };
    await readStream({ url: `${reprise.baseUrl}${base}${path}`, method: "GET", headers });
  }
}
