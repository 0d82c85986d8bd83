// Audio that an agent keeps, on the pages of its session: it is heard there, and nothing that is said runs or loads anything.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import type { Msg } from "../../../protocol/messages/messages.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";
import { RUN } from "./hostile-corpus.ts";

const MODEL = { provider: "scripted", name: "refund-desk" } as const;
const HOSTILE = `<img src=x onerror="${RUN}"> <audio src="https://evil.example/a.wav" autoplay>`;

/** A session in which somebody has said something, and was answered, both hostile and kept. */
async function makeSession() {
  const { reprise, apiKey } = await makeTenant();
  const agent = await reprise.agents.create({
    name: "Refund desk",
    model: MODEL,
    voice: { mode: "realtime", model: MODEL, turns: { type: "manual" }, keep_audio: true },
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const client = await VoiceClient.connect(session.id, { key: apiKey });
  client.speak(`/say ${HOSTILE}`);
  client.send({ type: "commit" });
  await client.until(() => client.customs("speech_kept").length === 2);
  await client.close();
  const link = (await reprise.consoleLinks.create()).url;
  return { reprise, session, link };
}

function keptOf(message: Msg | undefined) {
  const [first] = (message?.metadata["kept_audio"] ?? []) as readonly {
    readonly url: string;
    readonly ms: number;
  }[];
  return first;
}

/** Seconds of the audio that the page's only player has, once it can be played. */
async function playableSeconds(page: Page): Promise<number> {
  const read = () =>
    page.evaluate<readonly [number, number]>(
      `(({ readyState, duration }) => [readyState, duration])(document.querySelector("audio") ?? { readyState: 0, duration: 0 })`,
    );
  await expect.poll(async () => (await read())[0]).toBeGreaterThan(1);
  return (await read())[1];
}

test.each(["sessions/", "playground?session="])(
  "a person hears on the page %s what was said, whatever it says",
  async (place) => {
    const { reprise, session, link } = await makeSession();
    const opened = await openPage(await launch(), { bypassCSP: false });
    const { page } = opened;
    await signIn(page, link);
    await visit(page, `/console/${place}${session.id}`);
    const [said, answer] = (await session.messages.list().page()).data;
    const [audio, answered] = [said, answer].map((one) => keptOf(one));
    const question = page.getByRole("article", { name: /, user$/ });
    await question.getByText(HOSTILE).waitFor();
    await question.getByRole("button", { name: /^Play/ }).click();
    const seconds = await playableSeconds(page);
    const [, fileId = ""] = /(fil_[0-9a-z]{26})/.exec(answered?.url ?? "") ?? [];
    await reprise.files.delete(fileId);
    const reply = page.getByRole("article", { name: "Refund desk, assistant" });
    await reply.getByRole("button", { name: /^Play/ }).click();
    await reply.getByText("The audio cannot be read").waitFor();

    expect(Math.abs(seconds * 1_000 - (audio?.ms ?? 0))).toBeLessThan(2);
    expect(await page.locator("audio").count()).toBe(1);
    expectNoMisdeeds(opened);
  },
);

test("no state of a player is a violation", async () => {
  const { session, link } = await makeSession();
  const opened = await openPage(await launch(), { bypassCSP: true });
  const { page } = opened;
  await signIn(page, link);
  await visit(page, `/console/sessions/${session.id}`);
  const question = page.getByRole("article", { name: /, user$/ });
  await question.getByRole("button", { name: /^Play/ }).waitFor();
  const violations = [...(await findViolations(page))];
  await question.getByRole("button", { name: /^Play/ }).click();
  await playableSeconds(page);
  violations.push(...(await findViolations(page)));

  expect(violations).toEqual([]);
  expectNoMisdeeds(opened);
});
