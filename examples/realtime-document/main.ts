// The document's realtime agent, on the platform: its page speaks with an agent by the events that it knows, and checks what
// comes. The embedded voice answers: no key and no network.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { ApiError, ConnectionError, Reprise } from "@reprise/sdk";

import { StoryFailure } from "../connect.ts";
import { reachPlatform, type Platform } from "../reach-platform.ts";
import { Page } from "./page.ts";

const RATE = 16_000;
/** Samples of one chunk: as the document's page sends them. */
const CHUNK_SAMPLES = 4_096;
const HERTZ = 440;
const LOUDNESS = 12_000;
/** Milliseconds after which a step has failed; each takes a second or two. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 25;
const SPOKEN_MS = 900;
const SILENCE_MS = 900;

async function main(): Promise<void> {
  const platform = await reachPlatform();
  try {
    const reprise = new Reprise({ apiKey: platform.apiKey, baseUrl: platform.baseUrl });
    const agent = await reprise.agents.create({
      name: "Assistant",
      system_prompt: "You are a helpful assistant.",
      model: { provider: "scripted" },
      voice: { mode: "realtime", model: { provider: "scripted" } },
    });
    const session = await reprise.sessions.create({ agent_id: agent.id });
    try {
      await talk(platform, session.id, agent.id);
    } finally {
      await reprise.sessions.delete(session.id);
      await reprise.agents.delete(agent.id);
    }
  } finally {
    await platform.leave();
  }
}

/** @throws {StoryFailure} at the first failed check. */
async function talk(
  { baseUrl, apiKey }: Platform,
  sessionId: string,
  agentId: string,
): Promise<void> {
  const played: string[] = [];
  const page = new Page({
    baseUrl,
    apiKey,
    sessionId,
    playAudio: (audio) => played.push(audio),
  });
  const by = { agent_id: agentId, agent_name: "Assistant" };
  await see("the session", () => page.of("server_session_created").length > 0);
  check("the agent is ready, and the session is created", page.events, [
    { type: "agent_ready", ...by },
    { type: "server_session_created", session_id: sessionId },
  ]);

  console.log("\nUser: speaks for a second, and is silent.");
  speak(page, SPOKEN_MS);
  speak(page, SILENCE_MS, 0);
  await see("the answer", () => page.of("agent_response_done").length > 0);
  await see("the transcript", () => page.of("agent_input_transcription_done").length > 0);
  const [started] = page.of("agent_input_started");
  const [done] = page.of("agent_input_done");
  check(
    "what the user says is heard from its beginning to its end",
    [started?.["item_id"] === done?.["item_id"], started !== undefined],
    [true, true],
  );
  check("the answer is played, by the event that the page listens for", played.length > 0, true);
  check("and by no other", page.of("agent_response_audio_delta"), []);
  page.commit();

  console.log("\nUser: types.");
  page.sendText("/say Hello from the document.");
  await see("the answer", () => page.of("agent_response_done").length > 1);
  const [, response] = page.of("agent_response_created");
  const texts = page
    .of("agent_response_audio_transcript_delta")
    .filter((event) => event["response_id"] === response?.["response_id"]);
  check(
    "a typed text is answered aloud",
    texts.map((event) => event["delta"]).join(""),
    "Hello from the document.",
  );

  page.end();
  await see("the end", () => page.closed !== null);
  check(
    "the session ends when the page says so",
    [page.events.at(-1)?.type, page.closed],
    ["server_session_ended", 1000],
  );
  check("nothing was refused", page.of("agent_error"), []);
}

/** A tone for so long, or silence. */
function speak(page: Page, ms: number, loudness = LOUDNESS): void {
  const samples = Int16Array.from({ length: (RATE / 1_000) * ms }, (_, index) =>
    Math.round(loudness * Math.sin((2 * Math.PI * HERTZ * index) / RATE)),
  );
  for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
    const { buffer, byteOffset, byteLength } = samples.subarray(at, at + CHUNK_SAMPLES);
    page.sendAudioChunk(Buffer.from(buffer, byteOffset, byteLength).toString("base64"));
  }
}

/** Waits for a fact. @throws {StoryFailure} when it does not come true. */
async function see(what: string, isTrue: () => boolean): Promise<void> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(LOOK_EVERY_MS)) {
    if (isTrue()) return;
  }
  throw new StoryFailure(`${what} did not come`);
}

function check(claim: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return console.log(`  ok  ${claim}`);
  const [one, other] = [found, expected].map((value) => JSON.stringify(value, null, 2));
  throw new StoryFailure(`  no  ${claim}\n\nexpected ${other}\n\nfound ${one}`);
}

function isToldShortly(error: unknown): error is Error {
  return (
    error instanceof StoryFailure || ApiError.isInstance(error) || ConnectionError.isInstance(error)
  );
}

try {
  await main();
} catch (error) {
  console.error(isToldShortly(error) ? `\n${error.message}` : error);
  process.exitCode = 1;
}
