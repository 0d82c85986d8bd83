// Text that would run, load or mislead if a page took it for more than text: in names, ids, messages, calls, results.
import { expect, inject, test } from "vitest";

import type { Msg } from "../../../protocol/messages/messages.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { CORPUS, RUN, WHOLE } from "./hostile-corpus.ts";

function message(role: Msg["role"], content: readonly object[]): Msg {
  return { role, name: CORPUS[1], content } as Msg;
}

const CONVERSATION = [
  message("user", [{ type: "text", text: WHOLE }]),
  message("assistant", [
    { type: "thinking", thinking: WHOLE },
    ...CORPUS.map((text) => ({ type: "text", text })),
    { type: "text", text: "[the shop](https://shop.example/orders) and <https://mail.example>" },
    { type: "hint", hint: WHOLE, source: CORPUS[0] },
    {
      type: "tool_call",
      id: `call_${CORPUS[2]}`,
      name: "lookup",
      input: JSON.stringify({ [CORPUS[0] ?? ""]: CORPUS }),
      state: "finished",
    },
    {
      type: "tool_result",
      id: `call_${CORPUS[2]}`,
      name: "lookup",
      output: WHOLE,
      state: "success",
    },
    {
      type: "data",
      name: CORPUS[1],
      source: { type: "url", url: "https://evil.example/p.png", media_type: "image/png" },
    },
    {
      type: "data",
      name: CORPUS[1],
      source: {
        type: "base64",
        data: btoa(`<script>${RUN}</script>`),
        media_type: "text/plain",
      },
    },
  ]),
];

test("hostile text never runs, loads nothing from elsewhere, and is shown as the text that it is", async () => {
  const tenant = await makeTenant(CORPUS[1]);
  const { reprise } = tenant;
  const agent = await reprise.agents.create({ name: CORPUS[1] ?? "", system_prompt: WHOLE });
  await reprise.agents.update(agent.id, {
    system_prompt: CORPUS.toReversed().join("\n\n"),
    metadata: { [CORPUS[0] ?? ""]: CORPUS[1] ?? "" },
    tools: [{ type: "external", name: "lookup", description: WHOLE }],
  });
  const session = await reprise.sessions.create({
    agent_id: agent.id,
    end_user_id: CORPUS[0],
    metadata: { [CORPUS[1] ?? ""]: WHOLE },
  });
  const state = await session.state();
  await session.importState({ ...state, context: CONVERSATION } as never);
  await session.reply(`/say ${CORPUS[1]}`).done();
  const opened = await openPage(await launch());
  const { page } = opened;

  await signIn(page, (await reprise.consoleLinks.create()).url);
  await page.getByText(CORPUS[0] ?? "", { exact: true }).waitFor();
  await visit(page, "/console/agents");
  await page
    .getByText(CORPUS[1] ?? "", { exact: true })
    .first()
    .waitFor();
  await visit(page, `/console/sessions/${session.id}`);
  const messages = page.getByRole("list", { name: "Messages" });
  await messages.getByText("the shop").waitFor();
  const summaries = messages.locator("summary");
  for (let index = 0; index < (await summaries.count()); index += 1) {
    const summary = summaries.nth(index);
    if ((await summary.locator("..").getAttribute("open")) === null) {
      await summary.click();
    }
  }
  const found = await messages.getByRole("link").all();
  const links = await Promise.all(
    found.map((link) => Promise.all([link.getAttribute("href"), link.getAttribute("rel")])),
  );
  const hosts = await messages.locator(".link-host").allTextContents();
  const pictures = await messages.locator("img, iframe, script, style, form, svg script").count();
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByText(/\d+ events/).waitFor();
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("group", { name: "session" }).waitFor();
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.getByRole("list", { name: "Timeline" }).getByRole("listitem").first().waitFor();
  await page.getByRole("tab", { name: "Replay" }).click();
  await page.getByLabel("Speed").selectOption("instant");
  await page.getByRole("button", { name: "Play" }).click();
  await page.getByText(/^Event (\d+) of \1/).waitFor();
  await page.getByRole("tab", { name: "Context" }).click();
  await page.getByRole("region", { name: "Window" }).waitFor();
  await visit(page, `/console/agents/${agent.id}`);
  await page.getByText("Valid", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByRole("list", { name: "Changes" }).waitFor();
  for (const filter of CORPUS.slice(0, 6)) {
    await visit(page, `/console/sessions?end_user_id=${encodeURIComponent(filter)}`);
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
  }
  for (const path of [
    "home",
    "audit",
    `usage?by=end_user&model_name=${encodeURIComponent(WHOLE.slice(0, 190))}`,
  ]) {
    await visit(page, `/console/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  await visit(page, "/console/audit");
  await page.getByRole("button", { name: "Agent created" }).click();
  await page
    .getByRole("region", { name: "After" })
    .getByText(JSON.stringify(CORPUS[1]), { exact: true })
    .waitFor();
  await visit(page, `/console/sessions/${encodeURIComponent(CORPUS[1] ?? "")}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect(links.filter(([href]) => !/^https:|^http:|^mailto:/.test(href ?? ""))).toEqual([]);
  expect(links.every(([, rel]) => rel === "noopener noreferrer nofollow")).toBe(true);
  expect(hosts).toContain("(shop.example)");
  expect(hosts).toHaveLength(links.length);
  expect(pictures).toBe(0);
  expectNoMisdeeds(opened);
});

test("hostile text never runs in the playground: as it is written, asked about and answered", async () => {
  const { reprise } = await makeTenant();
  const agent = await reprise.agents.create({
    name: CORPUS[1] ?? "",
    tools: [
      {
        type: "external",
        name: "lookup",
        confirmation_message: `${CORPUS[0]} {text}`,
      },
    ],
    permission: { mode: "default", rules: [] },
  });
  const opened = await openPage(await launch());
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  await visit(page, `/console/playground?agent=${agent.id}`);
  await page.getByRole("heading", { name: "Talk to an agent" }).waitFor();
  const lines = CORPUS.flatMap((text) => text.split("\n")).filter((line) => line !== "");
  const script = [
    ...lines.map((line) => `/think ${line}`),
    ...lines.map((line) => `/say ${line}\n/say `),
    `/call lookup ${JSON.stringify({ text: CORPUS[1], [CORPUS[0] ?? ""]: CORPUS })}`,
    "/say Through.",
  ].join("\n");
  await page.getByRole("textbox", { name: "Your message" }).fill(script);
  await page.getByRole("button", { name: "Send" }).click();
  const call = page.getByRole("region", { name: "Call of lookup" });
  await call.getByRole("button", { name: "Edit…" }).click();
  await call.getByRole("button", { name: "Allow with these arguments" }).click();
  await call.getByRole("textbox", { name: "Result" }).fill(WHOLE);
  await call.getByRole("button", { name: "Submit the result" }).click();
  await page.getByText("Through.", { exact: true }).waitFor();
  for (const tab of ["Context", "State", "Files", "Code"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel", { name: tab }).waitFor();
  }
  for (const language of ["TypeScript", "AG-UI", "curl"]) {
    await page.getByRole("button", { name: language }).click();
  }
  const odd = await page.locator("main :is(iframe, script, style, svg script)").count();
  const links = await page.getByRole("region", { name: "Conversation" }).getByRole("link").all();
  const targets = await Promise.all(links.map((link) => link.getAttribute("href")));
  for (const value of CORPUS.slice(0, 3)) {
    await visit(page, `/console/playground?session=${encodeURIComponent(value)}`);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  }

  expect(odd).toBe(0);
  expect(targets.filter((href) => !/^https:|^http:|^mailto:/.test(href ?? ""))).toEqual([]);
  expectNoMisdeeds(opened);
});

test("a script that got into the page anyway is stopped by the page's policy", async () => {
  const { reprise } = await makeTenant();
  const { page } = await openPage(await launch());
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const found = await page.evaluate<{ thrown: string[]; seen: string[] }>(`(async () => {
    const seen = new Set();
    document.addEventListener("securitypolicyviolation", (event) => seen.add(event.effectiveDirective));
    const foreign = "https://evil.example/x.png";
    const attempts = [
      () => { document.body.innerHTML += "<img src=x onerror=alert(1)>"; },
      () => { document.createElement("script").text = "alert(1)"; },
      () => { document.body.append(Object.assign(new Image(), { src: foreign })); },
      () => { document.body.append(Object.assign(document.createElement("style"), { textContent: "*{}" })); },
    ];
    const thrown = attempts.map((attempt) => {
      try {
        attempt();
        return "";
      } catch (error) {
        return error.name;
      }
    });
    await fetch(foreign).catch(() => undefined);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return { thrown, seen: [...seen].sort() };
  })()`);

  expect(found).toEqual({
    thrown: ["TypeError", "TypeError", "", ""],
    seen: ["connect-src", "img-src", "require-trusted-types-for", "style-src-elem"],
  });
});

test("every answer below the console's paths has the policy, also a missing file and a refusal", async () => {
  const baseUrl = inject("baseUrl");
  const answers = await Promise.all([
    fetch(`${baseUrl}/console`),
    fetch(`${baseUrl}/console/sessions/ses_1`),
    fetch(`${baseUrl}/operator/tenants`),
    fetch(`${baseUrl}/console/icon.svg`),
    fetch(`${baseUrl}/console/assets/missing.js`),
    fetch(`${baseUrl}/console/token`, { method: "POST" }),
  ]);
  const index = await (await fetch(`${baseUrl}/console/`)).text();
  const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(index)?.[1];
  const asset = await fetch(`${baseUrl}${script}`);

  expect([...answers, asset].map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 404, 403, 200,
  ]);
  for (const { headers } of [...answers, asset]) {
    expect(headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; script-src (http:\/\/[a-z0-9.:]+\/console\/assets\/); style-src \1; .*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    expect([headers.get("X-Content-Type-Options"), headers.get("Referrer-Policy")]).toEqual([
      "nosniff",
      "no-referrer",
    ]);
  }
  expect(asset.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(answers[0]?.headers.get("Cache-Control")).toBe("no-cache");
  expect(index).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|https?:/);
});

test("hostile text never runs on the pages of rooms and of triggers", async () => {
  const { reprise } = await makeTenant();
  const agent = await reprise.agents.create({
    name: CORPUS[1] ?? "",
    tools: [{ type: "external", name: "lookup", confirmation_message: `${CORPUS[0]} {text}` }],
  });
  const form = {
    type: "object",
    title: CORPUS[0] ?? "",
    properties: { vote: { type: "string", title: CORPUS[1] ?? "", description: WHOLE } },
  };
  const room = await reprise.rooms.create({
    title: CORPUS[1],
    announcement: WHOLE,
    metadata: { [CORPUS[0] ?? ""]: WHOLE },
    participants: [
      { name: "desk", agent_id: agent.id },
      { name: "Ada", kind: "person", awaited: true, form, end_user_id: CORPUS[0] },
    ],
    turns: { order: "parallel" },
  });
  const lines = CORPUS.flatMap((text) => text.split("\n")).filter((line) => line !== "");
  const call = JSON.stringify({ text: CORPUS[1], [CORPUS[0] ?? ""]: CORPUS });
  const script = [...lines.map((line) => `/say ${line}\n/say `), `/call lookup ${call}`];
  await room.say(["Begin.", ...script].join("\n"), { participant: "Ada" });
  await expect.poll(async () => (await room.get()).pending.length).toBe(1);
  const trigger = await reprise.triggers.create({
    name: CORPUS[1] ?? "",
    agent_id: agent.id,
    schedule: { type: "cron", expression: "0 8 * * *", timezone: "Europe/Berlin" },
    input: WHOLE,
  });
  await reprise.triggers.runs(trigger.id).create();
  const opened = await openPage(await launch());
  const { page } = opened;

  await signIn(page, (await reprise.consoleLinks.create()).url);
  await visit(page, "/console/rooms");
  await page
    .getByRole("table")
    .getByText(CORPUS[1] ?? "")
    .first()
    .waitFor();
  await visit(page, `/console/rooms/${room.id}`);
  await page.getByRole("region", { name: "Question about lookup" }).waitFor();
  await page.getByRole("form", { name: "Turn of Ada" }).waitFor();
  const messages = page.getByRole("list", { name: "Messages" });
  const found = await messages.getByRole("link").all();
  const hrefs = await Promise.all(found.map((link) => link.getAttribute("href")));
  const pictures = await messages.locator("img, iframe, script, style, form, svg script").count();
  await visit(page, `/console/sessions?room_id=${encodeURIComponent(CORPUS[1] ?? "")}`);
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  await visit(page, "/console/triggers");
  await page
    .getByRole("table")
    .getByText(CORPUS[1] ?? "")
    .first()
    .waitFor();
  await visit(page, `/console/triggers/${trigger.id}`);
  await page.getByRole("heading", { level: 1, name: CORPUS[1] }).waitFor();
  await page.getByRole("region", { name: "Runs" }).last().locator("tbody tr").first().waitFor();

  const addresses = hrefs.filter((href) => !/^(?:https?:|mailto:|\/console\/)/.test(href ?? ""));
  expect([addresses, pictures]).toEqual([[], 0]);
  expectNoMisdeeds(opened);
});
