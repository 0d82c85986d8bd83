// A refund desk that one talks to in the console's playground, with the embedded voice: no key and no network.
//
//   --check   plays the story over the SDK instead of keeping the page up, and checks it
import { once } from "node:events";
import { parseArgs } from "node:util";

import { ApiError, ConnectionError } from "@reprise/sdk";

import { StoryFailure } from "../connect.ts";
import { reachPlatform } from "../reach-platform.ts";
import { playStory } from "./story.ts";
import { openVoiceDesk, type VoiceDesk } from "./voice-desk.ts";

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });

async function main(): Promise<void> {
  const platform = await reachPlatform();
  try {
    const desk = await openVoiceDesk(platform);
    try {
      await (options.check ? playStory(desk.session) : serve(desk));
    } finally {
      await desk.remove();
    }
  } finally {
    await platform.leave();
  }
}

async function serve({ signInUrl, pageUrl }: VoiceDesk): Promise<void> {
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  // Nothing else keeps the process up beside a platform of its own.
  const upkeep = setInterval(() => undefined, 60_000);
  console.log(`
Sign in   ${signInUrl}
          once, within ten minutes
Talk      ${pageUrl}

Press "Talk", and write "Please refund order A-1001": the desk answers aloud, and asks you before it pays. Write
while it talks, and it stops. It speaks in tones, which it understands as well; of what you say it hears for how
long you have spoken. docs/voice.md has agents that understand people. Ctrl-C ends it.
`);
  await ended;
  clearInterval(upkeep);
}

/**
 * Whether the message suffices without a stack: failures of the story, and errors of the platform or the connection.
 */
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
