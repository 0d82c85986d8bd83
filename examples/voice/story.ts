// Talks to the desk over the SDK, with a loudspeaker that only keeps time, and checks what was said and heard.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { confirmEvent, getTextContent, type LoggedEvent, type TenantSession } from "@reprise/sdk";

import { StoryFailure } from "../connect.ts";
import { TimedPlayer } from "./timed-player.ts";

const ANSWER = "One moment, a person has to allow that. I go on to talk meanwhile.";
const DONE = "The money is on its way.";
const LONG_ANSWER =
  "It was last seen in the sorting centre, and nobody there knows where it is now.";
/** Milliseconds of the long answer after which the customer speaks again. */
const HEARD_BEFORE_MS = 1_000;
/** Milliseconds after which a step has failed; each takes seconds. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 25;

/** @throws {StoryFailure} at the first failed check. */
export async function playStory(session: TenantSession): Promise<void> {
  const player = new TimedPlayer();
  const voice = await session.speak({ player });
  const seen: LoggedEvent[] = [];
  const refusals: string[] = [];
  voice.on("event", (event) => seen.push(event));
  voice.on("error", ({ code, detail }) => refusals.push(`${code}: ${detail}`));
  try {
    console.log("Customer: refund order A-1001, please.");
    voice.text(`/say ${ANSWER}\n/call refund_order {"order_id": "A-1001"}\n/say ${DONE}`);
    const asked = await see("a call that asks", () => seen.find(isAsking));
    await see("the agent's voice", () => player.isPlaying);
    const { reply_id, tool_calls } = asked;
    const isTalking = player.isPlaying;
    const { pending } = await session.get();
    voice.confirm(
      confirmEvent(
        reply_id,
        pending.map((call) => [call, {}]),
      ),
    );
    await see("the end of the answer", () => seen.find(isEndOf(reply_id)));
    await see("silence", () => !player.isPlaying && player.heardMs > 0);
    console.log("Desk: it was said, and the call was allowed meanwhile.\n");
    check("the desk talks while it asks", [isTalking, tool_calls.length], [true, 1]);
    const [, answer] = (await session.messages.list().page()).data;
    const text = (answer && getTextContent(answer)) ?? "";
    check("it has said what it did", [text.includes(ANSWER), text.includes(DONE)], [true, true]);
    check("each piece of audio was played to its end", player.cleared, []);

    voice.text(`/say ${LONG_ANSWER}`);
    const before = player.heardMs;
    await see("a second of it", () => player.heardMs - before > HEARD_BEFORE_MS);
    voice.text("/say Yes?");
    await see("the agent's next words", () => seen.filter(isReplyEnd).length === 3);
    check("speaking again has stopped one piece of audio", player.cleared.length, 1);
    const cut = await see("what was heard", () => seen.map(truncationOf).find(Boolean));
    const isPart = LONG_ANSWER.startsWith(cut.text) && cut.text !== LONG_ANSWER;
    check("the conversation has what was heard of it", [isPart, cut.text !== ""], [true, true]);
    const { data } = await session.messages.list().page();
    const texts = data.map((message) => getTextContent(message));
    check(
      "and nothing more",
      [texts.includes(cut.text), texts.includes(LONG_ANSWER)],
      [true, false],
    );
    check("nothing was refused", refusals, []);
  } finally {
    voice.close();
  }
}

type AskingEvent = Extract<LoggedEvent, { type: "REQUIRE_USER_CONFIRM" }>;

function isAsking(event: LoggedEvent): event is AskingEvent {
  return event.type === "REQUIRE_USER_CONFIRM";
}

function isReplyEnd(event: LoggedEvent): boolean {
  return event.type === "REPLY_END";
}

function isEndOf(replyId: string): (event: LoggedEvent) => boolean {
  return (event) => event.type === "REPLY_END" && event.reply_id === replyId;
}

interface Truncation {
  readonly text: string;
}

function truncationOf(event: LoggedEvent): Truncation | null {
  if (event.type !== "CUSTOM" || event.name !== "speech_truncated") return null;
  return event.value as unknown as Truncation;
}

/** Waits for a fact. @throws {StoryFailure} when it does not come true. */
async function see<Value>(
  what: string,
  find: () => Value | undefined | null | false,
): Promise<Value> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(LOOK_EVERY_MS)) {
    const found = find();
    if (found) return found;
  }
  throw new StoryFailure(`${what} did not come`);
}

function check(claim: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return console.log(`  ok  ${claim}`);
  const [one, other] = [found, expected].map((value) => JSON.stringify(value, null, 2));
  throw new StoryFailure(`  no  ${claim}\n\nexpected ${other}\n\nfound ${one}`);
}
