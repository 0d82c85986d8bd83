// Text that would run, load or mislead if a page took it for more than text: in names, ids, messages, calls, results.
import { expect, inject, test } from "vitest";

import type { Msg } from "../../../protocol/messages/messages.ts";
import {
  expectNoMisdeeds,
  launch,
  makeTenant,
  openPage,
  signIn,
  visit,
} from "./console-browser.ts";

const RUN = "alert(document.domain)";
const CORPUS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg/onload=${RUN}>`,
  `<svg><script href="data:,${RUN}"/></svg>`,
  `<iframe srcdoc="<script>${RUN}</script>">`,
  `<a href="javascript:${RUN}">go</a>`,
  `<form action="javascript:${RUN}"><button>go</button></form>`,
  `<details open ontoggle=${RUN}>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `"><script>${RUN}</script>`,
  `'-${RUN}-'`,
  `\${${RUN}}{{${RUN}}}`,
  `[a link](javascript:${RUN})`,
  `[a link](JaVaScRiPt:${RUN})`,
  `[a link](java\tscript:${RUN})`,
  `[a link](data:text/html,<script>${RUN}</script>)`,
  `[a link](vbscript:${RUN})`,
  `[a link](//evil.example/%0a${RUN})`,
  `![a picture](https://evil.example/pixel.png?${RUN})`,
  `![a picture](x" onerror="${RUN})`,
  `<javascript:${RUN}>`,
  `[a]: javascript:${RUN}\n\n[a]`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `| a | b |\n|---|---|\n| <img src=x onerror=${RUN}> | [b](javascript:${RUN}) |`,
  `<style>*{background:url(https://evil.example/)}</style>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `${">".repeat(200)} ${"- ".repeat(200)}deep`,
  `\u202Egnp.exe`,
];
const WHOLE = CORPUS.join("\n\n");

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
  const agent = await reprise.agents.create({ name: CORPUS[1] ?? "" });
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
  for (const filter of CORPUS.slice(0, 6)) {
    await visit(page, `/console/sessions?end_user_id=${encodeURIComponent(filter)}`);
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
  }
  await visit(page, `/console/sessions/${encodeURIComponent(CORPUS[1] ?? "")}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect(links.filter(([href]) => !/^https:|^http:|^mailto:/.test(href ?? ""))).toEqual([]);
  expect(links.every(([, rel]) => rel === "noopener noreferrer nofollow")).toBe(true);
  expect(hosts).toContain("(shop.example)");
  expect(hosts).toHaveLength(links.length);
  expect(pictures).toBe(0);
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
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
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
