// The SDK's package, installed outside the repository: it compiles, and tells one story in every runtime.
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, describe, expect, inject, it, onTestFinished } from "vitest";

import { Reprise, webhooks } from "../../../sdk/index.ts";
import { collect } from "../../support/collect.ts";
import { createAgent, createTenant } from "../../support/platform-client.ts";
import { startCuttingGateway } from "./cutting-gateway.ts";
import { installPackage, ROOT, run, runtimePath, versionOf } from "./installed-package.ts";
import { RUNTIMES } from "./runtimes.ts";

const app = await installPackage();
afterAll(() => app.remove());

const SECRET = `whsec_${btoa("a secret of thirty-two characters")}`;
const WEBHOOK = {
  id: "evt_1",
  type: "reply.completed",
  created_at: "2026-11-21T12:00:00.000Z",
  data: { session_id: "ses_1", reply_id: "rep_1" },
};

async function openDesk() {
  const { key } = await createTenant();
  const order = { type: "object", properties: { order_id: { type: "string" } } };
  const agentId = await createAgent(key, {
    tools: [
      {
        type: "http",
        name: "refund_order",
        input_schema: order,
        url: `${inject("toolsUrl")}/refund_order`,
      },
    ],
  });
  return { key, agentId };
}

describe("the installed package", () => {
  it.concurrent.for(RUNTIMES)(
    "tells its story in $name, over connections that break, with each event once and in order",
    async (runtime, { expect, onTestFinished }) => {
      const { key, agentId } = await openDesk();
      const gateway = await startCuttingGateway(inject("baseUrl"), join(app.folder, "dist"));
      onTestFinished(() => gateway.stop());
      const body = JSON.stringify(WEBHOOK);
      const webhook = { body, headers: await webhooks.sign(body, SECRET), secret: SECRET };

      const report = await runtime.tell(app.folder, {
        baseUrl: gateway.url,
        apiKey: key,
        agentId,
        rate: runtime.rate ?? 20,
        webhook: runtime.hasNoCrypto ? null : webhook,
      });

      const session = new Reprise({ baseUrl: inject("baseUrl"), apiKey: key }).session(
        report.sessionId,
      );
      const logged = await Promise.all(
        report.replies.map(async ({ id }) => {
          const events = await collect(session.events({ replyId: id ?? "" }));
          return { id, seqs: events.map(({ seq }) => seq) };
        }),
      );
      const { message } = await session.message(report.replies[0]?.id ?? "");
      expect(report).toEqual({
        sessionId: session.id,
        replies: logged,
        wasReconnected: runtime.loses.includes("stream"),
        cameEarly: true,
        folded: JSON.stringify(message),
        message: JSON.stringify(message),
        statuses: ["completed", "awaiting_permission", "completed"],
        messages: ["user", "assistant", "user", "assistant"],
        webhookType: runtime.hasNoCrypto ? null : "reply.completed",
        refusal: "not_found",
      });
      expect(gateway.losses).toEqual(runtime.loses);
    },
  );

  const compilers = [
    ["TypeScript 7", join(ROOT, "node_modules/typescript")],
    ["TypeScript 5", runtimePath("typescript")],
  ] as const;
  it.each(
    compilers.flatMap(([name, folder]) =>
      ["nodenext", "bundler"].map((resolution) => [name, resolution, folder] as const),
    ),
  )(
    "compiles by %s with %s resolution, its declarations included",
    async (_name, resolution, folder) => {
      const config = join(app.folder, `tsconfig.${resolution}.json`);
      writeFileSync(
        config,
        JSON.stringify({
          compilerOptions: {
            strict: true,
            exactOptionalPropertyTypes: true,
            skipLibCheck: false,
            noEmit: true,
            target: "ES2022",
            lib: ["ES2022", "DOM"],
            types: [],
            module: resolution === "nodenext" ? "NodeNext" : "ESNext",
            moduleResolution: resolution,
          },
          files: ["story.ts"],
        }),
      );

      const output = await run(
        process.execPath,
        [join(folder, "bin/tsc"), "-p", config],
        app.folder,
      );

      expect(output).toBe("");
    },
  );

  it("runs the example of its README", async () => {
    const { key } = await createTenant();
    const readme = readFileSync(join(app.folder, "node_modules/@reprise/sdk/README.md"), "utf8");
    const [, example = ""] = /```js\n([^]*?)```/.exec(readme) ?? [];
    writeFileSync(join(app.folder, "readme.js"), example);

    const output = await run(runtimePath("node-20/bin/node"), ["readme.js"], app.folder, {
      BASE_URL: inject("baseUrl"),
      API_KEY: key,
      AGENT_ID: await createAgent(key),
    });

    expect(output).toContain("Here is what I know about A-1001:");
  });

  it("has an entry for AG-UI, which compiles and loads beside its peer", async () => {
    const peer = join(app.folder, "node_modules/@ag-ui");
    symlinkSync(join(ROOT, "node_modules/@ag-ui"), peer);
    onTestFinished(() => rmSync(peer));
    const source = `import { RepriseAgent, type RepriseAgentOptions } from "@reprise/sdk/ag-ui";
const options: RepriseAgentOptions = { baseUrl: "http://a.test", agentId: "agt_1", apiKey: "k" };
console.log(new RepriseAgent(options).sessionId === null, RepriseAgent.name);
`;
    writeFileSync(join(app.folder, "ag-ui.mts"), source);
    const flags = ["--strict", "--skipLibCheck", "--module", "NodeNext", "--target", "ES2022"];
    const types = ["--lib", "ES2022,DOM", "--types", ""];

    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [compiler, ...flags, ...types, "ag-ui.mts"], app.folder);
    const output = await run(process.execPath, ["ag-ui.mjs"], app.folder);

    expect(output).toBe("true RepriseAgent\n");
  });

  it("has entries for a page: the hook compiles and renders beside React, the store without it", async () => {
    const peers = ["react", "react-dom", "@types"].map((name) => {
      const peer = join(app.folder, "node_modules", name);
      symlinkSync(join(ROOT, "node_modules", name), peer);
      return peer;
    });
    onTestFinished(() => peers.forEach((peer) => rmSync(peer)));
    const source = `import { useSession, type SessionView } from "@reprise/sdk/react";
import { SessionStore, type SessionState } from "@reprise/sdk/store";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
const state: SessionState = new SessionStore(null).getState();
function Chat() {
  const view: SessionView = useSession("ses_1", { baseUrl: "http://a.test", token: () => "t" });
  return createElement("p", null, view.status, view.messages.map(({ id }) => id));
}
console.log(state.status, renderToString(createElement(Chat)));
`;
    writeFileSync(join(app.folder, "page.mts"), source);
    const flags = ["--strict", "--skipLibCheck", "--module", "NodeNext", "--target", "ES2022"];
    const types = ["--lib", "ES2022,DOM", "--types", ""];

    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [compiler, ...flags, ...types, "page.mts"], app.folder);
    const output = await run(process.execPath, ["page.mjs"], app.folder);

    expect(output).toBe("idle <p>loading</p>\n");
    const built = readFileSync(join(app.folder, "node_modules/@reprise/sdk/react.js"), "utf8");
    // Frameworks with server components take the entry for code of the browser.
    expect(built).toMatch(/^"use client";/);
  });

  it("is run in the versions that docs/sdk.md names", () => {
    const page = readFileSync(join(ROOT, "docs/sdk.md"), "utf8");

    const rows = RUNTIMES.map(({ name, version }) => `| ${name} | ${version} |`);
    const compiled = compilers.map(([name, folder]) => {
      return `| ${name} | ${versionOf(join(folder, "package.json"))} |`;
    });

    expect(page).toContain(`\n${[...rows, ...compiled].join("\n")}\n`);
  });
});
