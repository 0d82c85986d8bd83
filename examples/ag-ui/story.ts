// Plays a refund on the page and checks it.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { RepriseAgent } from "@reprise/sdk/ag-ui";

import { StoryFailure } from "../connect.ts";
import type { DeskOffice, OfficeOptions } from "./desk-office.ts";
import type { Screen, Shown } from "./screen.ts";

const QUESTION = "The teapot of order A-1003 came in pieces. I want my money back!";
/** The amount that the clerk approves: the teapot's 72.90 EUR without express delivery. */
const ALLOWED_AMOUNT = "60.00 EUR";
const LABEL = "RETURN-1003";
/** Characters of the answer before the connection is cut. */
const CHARACTERS_BEFORE_TUNNEL = 40;
/** Milliseconds after which a step has failed; each takes seconds. */
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 25;

/** @throws {StoryFailure} at the first failed check. */
export async function playStory(
  screen: Screen,
  office: DeskOffice,
  platform: OfficeOptions,
): Promise<void> {
  const { tools, tunnel } = office;
  console.log(`\nCustomer: ${QUESTION}`);
  await screen.ask(QUESTION);
  const asked = await see(screen, "a card that asks", ({ state }) => state === "asking");
  console.log("The page asks a person.\n");
  check(
    "the order was looked up, and the case file tells of it",
    /72\.90 EUR/.test(asked.caseFile),
    true,
  );
  check("the refund asks a person first", [asked.approvals.length, tools.refunds], [1, []]);
  await screen.reopen();
  const askedAgain = await see(screen, "the card again", ({ state }) => state === "asking");
  check("it still asks when the page is opened again", askedAgain, asked);

  tunnel.enterInAWord(CHARACTERS_BEFORE_TUNNEL);
  console.log(`\nClerk: yes, but ${ALLOWED_AMOUNT}\n`);
  await screen.approve(ALLOWED_AMOUNT);
  const answers = new Set<string>();
  const ended = await see(screen, "the end of the answer", ({ state, answer }) => {
    answers.add(answer);
    return state === "idle" && answer.includes(LABEL);
  });
  const paid = tools.refunds.map(({ order_id, amount }) => [order_id, amount]);
  check(`the shop paid back once, and ${ALLOWED_AMOUNT}`, paid, [["A-1003", ALLOWED_AMOUNT]]);
  check("the case file has it, and what the page knew of the customer", caseOf(ended), true);
  check("the page has printed the label, and the agent knows its number", ended.label, LABEL);
  const cut = tunnel.textAtCut() ?? "";
  const isShownEarly = [...answers].some((text) => text !== "" && cut.startsWith(text));
  check("the answer was shown while it came", isShownEarly, true);
  check(
    "the connection was lost in the middle of a word, and the word was finished",
    isResumed(cut, ended),
    true,
  );
  const states = await screen.connections();
  check("the page showed that it was away", states.includes("reconnecting"), true);

  const held = await screen.messages();
  const stored = await readStored(office, platform);
  check("the page holds what the platform stores", held, stored);
  await screen.reopen();
  const again = await see(screen, "the conversation again", ({ answer }) => answer !== "");
  check("a page that is opened again shows the same", again, ended);
  check("and holds the same", await screen.messages(), stored);
  check("the protocol's client had nothing to complain about", screen.warnings(), []);
}

/** Polls the screen for a state. @throws {StoryFailure} when it does not appear, or a run fails. */
async function see(screen: Screen, what: string, isIt: (shown: Shown) => boolean): Promise<Shown> {
  for (const endMs = Date.now() + PATIENCE_MS; ; await sleep(LOOK_EVERY_MS)) {
    const shown = await screen.read();
    if (shown.failure !== null) throw new StoryFailure(`the page says: ${shown.failure}`);
    if (isIt(shown)) return shown;
    if (Date.now() > endMs) {
      throw new StoryFailure(`${what} did not come; the screen shows ${JSON.stringify(shown)}`);
    }
  }
}

function caseOf({ caseFile }: Shown): boolean {
  return ["Kim Lee", "A-1003", "refunded", ALLOWED_AMOUNT].every((text) => caseFile.includes(text));
}

function isResumed(cut: string, { answer }: Shown): boolean {
  if (cut === "" || !answer.startsWith(cut)) return false;
  return /^\p{L}\p{L}$/u.test(answer.slice(cut.length - 1, cut.length + 1));
}

/** Reads the conversation as a new client gets it. */
async function readStored(
  { settings: { agentId, sessionId } }: DeskOffice,
  platform: OfficeOptions,
): Promise<readonly object[]> {
  const reader = new RepriseAgent({ ...platform, agentId, sessionId });
  await reader.connectAgent();
  return reader.messages;
}

function check(claim: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return console.log(`  ok  ${claim}`);
  const [one, other] = [found, expected].map((value) => JSON.stringify(value, null, 2));
  throw new StoryFailure(`  no  ${claim}\n\nexpected ${other}\n\nfound ${one}`);
}
