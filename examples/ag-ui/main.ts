// A complete example of an AG-UI page that checks itself: text streams in, a person confirms a call, the page prints a
// label, the network fails in the middle of a word, and nothing is lost.
//
//   --serve          keeps the page up for a person instead of playing the story
//   --open           the same, and opens it
//   --browser        fails where there is no Chromium, instead of playing without one
//   --picture=FILE   puts a picture of the page there at the end
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

import { ApiError, ConnectionError } from "@reprise/sdk";

import { StoryFailure } from "../connect.ts";
import { openBrowserScreen } from "./browser-screen.ts";
import { openOffice, type DeskOffice } from "./desk-office.ts";
import { findChromium, HOW_TO_INSTALL } from "./find-chromium.ts";
import { openNodeScreen } from "./node-screen.ts";
import { reachPlatform } from "../reach-platform.ts";
import type { Screen } from "./screen.ts";
import { playStory } from "./story.ts";

const { values: options } = parseArgs({
  options: {
    serve: { type: "boolean", default: false },
    open: { type: "boolean", default: false },
    browser: { type: "boolean", default: false },
    picture: { type: "string" },
  },
});

async function main(): Promise<void> {
  const program = findChromium();
  if (options.browser && program === null) throw new StoryFailure(HOW_TO_INSTALL);
  const platform = await reachPlatform();
  try {
    const office = await openOffice(platform);
    try {
      console.log(`The refund desk's page is at ${office.pageUrl}`);
      if (options.serve || options.open) return await serve(office.pageUrl);
      const screen = await openScreen(program, office);
      try {
        await playStory(screen, office, platform);
      } finally {
        await screen.close();
      }
    } finally {
      await office.close();
    }
  } finally {
    await platform.leave();
  }
}

function openScreen(
  program: string | null,
  { pageUrl, settings, token }: DeskOffice,
): Promise<Screen> {
  if (program !== null) return openBrowserScreen({ program, pageUrl, picture: options.picture });
  console.log(`${HOW_TO_INSTALL} The story is played without a page.`);
  return openNodeScreen({ ...settings, token });
}

async function serve(pageUrl: string): Promise<void> {
  if (options.open) open(pageUrl);
  console.log('Say "I want my money back for A-1003". Ctrl-C ends it.');
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
}

/** Opens the URL with the system's command; without one the user can click the link. */
function open(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer" };
  const child = spawn(openers[process.platform] ?? "xdg-open", [url], { stdio: "ignore" });
  child.on("error", () => console.log("Open it in your browser."));
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
