// Skills over HTTP with the embedded model: written by the tenant, named by an agent, read by its model as it needs them.
import { beforeAll, describe, expect, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { SessionContext } from "../../../protocol/context/compression.ts";
import type { Skill, SkillVersion } from "../../../protocol/skills/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { BROAD } from "../../support/breadth.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

const FRONT =
  "---\nname: refund-policy\ndescription: Decides refunds.\n  Use it first.\nlicense: MIT\n---\n";
const RULES = "Only orders of the last 30 days.\nÜber 100 €: ask.\n";

function folder(body = "Read references/rules.md.\n", front = FRONT) {
  return {
    files: [
      { path: "references/rules.md", text: RULES },
      { path: "assets/logo.png", base64: "iVBORw0KGgoAAAANSUhEUgAA" },
      { path: "SKILL.md", text: `${front}${body}` },
    ],
  };
}

let key: string;
beforeAll(async () => {
  ({ key } = await createTenant());
});

async function makeSkill(body: object = folder()): Promise<Skill> {
  return (await request<Skill>("POST", "/v1/skills", { key, body })).body;
}

async function addVersion(skill: Skill, body: object = folder("Read nothing.\n")) {
  const path = `/v1/skills/${skill.id}/versions`;
  return (await request<SkillVersion>("POST", path, { key, body })).body;
}

async function openDesk(definition: object) {
  const agentId = await createAgent(key, definition);
  const path = `/v1/sessions/${await createSession(key, agentId)}`;
  const ask = <Body>(method: string, what: string, body?: unknown) =>
    request<Body>(method, `${path}${what}`, { key, body });
  const say = async (input: string) => (await ask<Reply>("POST", "/replies", { input })).body;
  return {
    agentId,
    path,
    ask,
    say,
    /** The text of the result of one call of the tool. */
    read: async (input: object) => {
      const { message } = await say(`/call read_skill ${JSON.stringify(input)}\n/say Done.`);
      return textsOf(message?.content).at(-1);
    },
    prompt: async () => (await ask<SessionContext>("GET", "/context")).body.system_prompt,
    events: async () =>
      (await ask<Page<LoggedEvent>>("GET", "/events?after=0&limit=100")).body.data,
  };
}

function textsOf(content: readonly object[] = []): readonly string[] {
  return (content as readonly { type: string; output?: unknown }[])
    .filter(({ type }) => type === "tool_result")
    .map(({ output }) =>
      typeof output === "string"
        ? output
        : (output as readonly { text: string }[]).map(({ text }) => text).join(""),
    );
}

const PROMPT = [
  "You decide refunds.",
  "",
  "# Skills",
  "",
  "Each of these skills is a folder of instructions and files for one kind of task. When a task fits a skill's description, call read_skill with its name before you begin, and follow what it says.",
  "",
  "- refund-policy: Decides refunds. Use it first.",
].join("\n");

describe("an agent with a skill", () => {
  it("tells its model the name and description, and no more", async () => {
    const skill = await makeSkill();
    const desk = await openDesk({ system_prompt: "You decide refunds.", skills: [skill.id] });

    await desk.say("/say Hello.");
    const first = await desk.prompt();
    await desk.say("/say Hello again.");

    expect(first).toBe(PROMPT);
    expect(await desk.prompt()).toBe(first);
  });

  it(
    "reads the instructions with the list of files, then files, by bytes and by lines",
    BROAD,
    async () => {
      const skill = await makeSkill();
      const desk = await openDesk({ skills: [skill.id] });
      const at = new TextEncoder().encode(FRONT).length;
      const end = at + "Read references/rules.md.\n".length;
      const size = new TextEncoder().encode(RULES).length;
      const secondLine = "Only orders of the last 30 days.\n".length;

      const answers = [
        await desk.read({ skill: "refund-policy" }),
        await desk.read({ skill: "refund-policy", path: "references/rules.md" }),
        await desk.read({
          skill: "refund-policy",
          path: "references/rules.md",
          offset: 5,
          length: 6,
        }),
        // The second byte of Ü: whole characters are read.
        await desk.read({
          skill: "refund-policy",
          path: "references/rules.md",
          offset: secondLine + 1,
          length: 3,
        }),
        await desk.read({ skill: "refund-policy", path: "references/rules.md", line: 2, lines: 1 }),
        await desk.read({ skill: "refund-policy", path: "references/rules.md", line: 9 }),
        await desk.read({ skill: "refund-policy", path: "references/rules.md", offset: 999_999 }),
        await desk.read({ skill: "refund-policy", path: "references/" }),
      ];

      expect(answers).toEqual([
        `refund-policy/SKILL.md, bytes ${at} to ${end} of ${end}:\n\nRead references/rules.md.\n\n\n` +
          "Files, which are read by their path:\n" +
          "- assets/logo.png (image/png, 18 bytes, no text)\n" +
          `- references/rules.md (text/markdown, ${size} bytes)`,
        `refund-policy/references/rules.md, bytes 0 to ${size} of ${size}:\n\n${RULES}`,
        `refund-policy/references/rules.md, bytes 5 to 11 of ${size}; it goes on at offset 11:\n\norders`,
        `refund-policy/references/rules.md, bytes ${secondLine + 2} to ${secondLine + 4} of ${size}; it goes on at offset ${secondLine + 4}:\n\nbe`,
        `refund-policy/references/rules.md, bytes ${secondLine} to ${size} of ${size}:\n\nÜber 100 €: ask.\n`,
        `refund-policy/references/rules.md, bytes ${size} to ${size} of ${size}:\n\n`,
        `refund-policy/references/rules.md, bytes ${size} to ${size} of ${size}:\n\n`,
        `Files, which are read by their path:\n- references/rules.md (text/markdown, ${size} bytes)`,
      ]);
    },
  );

  it("is told what it cannot read", async () => {
    const skill = await makeSkill();
    const desk = await openDesk({ skills: [skill.id] });

    const answers = [
      await desk.read({ skill: "other" }),
      await desk.read({ skill: "refund-policy", path: "../SKILL.md" }),
      await desk.read({ skill: "refund-policy", path: "assets/logo.png" }),
      await desk.read({ skill: "refund-policy", path: "none/" }),
      await desk.read({ skill: "refund-policy", line: 1, offset: 1 }),
    ];

    const list =
      "Files, which are read by their path:\n- SKILL.md (text/markdown, 113 bytes)\n" +
      "- assets/logo.png (image/png, 18 bytes, no text)\n- references/rules.md (text/markdown, 53 bytes)";
    expect(answers).toEqual([
      "There is no skill other. There are: refund-policy.",
      `The skill refund-policy has no file ../SKILL.md. ${list}`,
      "assets/logo.png is no text (image/png, 18 bytes), so it cannot be read here.",
      `There is no folder none/. ${list}`,
      "A part of a file is given either by offset and length, or by line and lines.",
    ]);
  });

  it("reads a long file part by part, none longer than the bound", BROAD, async () => {
    const long = "0123456789abcdef".repeat(2_500);
    const front = "---\nname: long\ndescription: Long.\n---\n";
    const skill = await makeSkill({
      files: [
        { path: "SKILL.md", text: front },
        { path: "long.txt", text: long },
      ],
    });
    const desk = await openDesk({ skills: [skill.id] });

    let text = "";
    for (let offset = 0; offset < long.length;) {
      const answer = (await desk.read({ skill: "long", path: "long.txt", offset })) ?? "";
      const part = answer.slice(answer.indexOf("\n\n") + 2);
      expect(part.length).toBeLessThanOrEqual(16_000);
      text += part;
      offset += part.length;
    }

    expect(text).toBe(long);
  });

  it(
    "keeps the version that its reply began with; the next one has the new version",
    BROAD,
    async () => {
      const skill = await makeSkill();
      const desk = await openDesk({
        skills: [skill.id],
        permission: { rules: [{ tool_name: "read_skill", behavior: "ask" }] },
      });
      const asked = await desk.say('/call read_skill {"skill": "refund-policy"}\n/say Done.');
      await addVersion(skill);
      const [call] = asked.pending;
      await desk.ask("POST", "/events", {
        type: "USER_CONFIRM_RESULT",
        reply_id: asked.id,
        confirm_results: [{ confirmed: true, tool_call: call?.tool_call }],
      });
      await expect
        .poll(async () => (await desk.ask<Reply>("GET", `/replies/${asked.id}`)).body.status)
        .toBe("completed");
      const { message } = (await desk.ask<Reply>("GET", `/replies/${asked.id}`)).body;
      await desk.say("/say Hello.");

      expect(textsOf(message?.content).at(-1)).toContain("Read references/rules.md.");
      const starts = (await desk.events()).filter(({ type }) => type === "REPLY_START");
      expect(starts.map(({ metadata }) => metadata["skills"])).toEqual(
        [1, 2].map((version) => [{ id: skill.id, version, name: "refund-policy" }]),
      );
    },
  );

  it("uses the version that the agent names, also when there are newer ones", BROAD, async () => {
    const skill = await makeSkill();
    await addVersion(skill);
    const desk = await openDesk({ skills: [{ id: skill.id, version: 1 }] });

    expect(await desk.read({ skill: "refund-policy" })).toContain("Read references/rules.md.");
  });

  it("goes on without a skill that was deleted, and its model is told so once", BROAD, async () => {
    const [skill, other] = [
      await makeSkill(),
      await makeSkill(folder("", "---\nname: other\ndescription: Other.\n---\n")),
    ];
    const desk = await openDesk({ skills: [skill.id, other.id] });
    await desk.say("/say Hello.");
    const deleted = await request("DELETE", `/v1/skills/${skill.id}`, { key });

    const answer = await desk.read({ skill: "refund-policy" });
    await desk.say("/say Hello again.");

    const hints = (await desk.events()).flatMap((event) =>
      event.type === "HINT_BLOCK" && event.source === "skills" ? [event.hint] : [],
    );
    expect(deleted.status).toBe(204);
    expect(answer).toBe("There is no skill refund-policy. There are: other.");
    expect(hints).toEqual([
      `This skill of yours is not available any more: refund-policy (${skill.id}). Go on without; do not ask read_skill for it.`,
    ]);
    expect(await desk.prompt()).not.toContain("refund-policy");
  });

  it("may be denied to read a skill by a rule that names it", async () => {
    const skill = await makeSkill();
    const rule = { tool_name: "read_skill", rule_content: "refund-policy", behavior: "deny" };
    const desk = await openDesk({ skills: [skill.id], permission: { rules: [rule] } });

    expect(await desk.read({ skill: "refund-policy" })).not.toContain("references/rules.md");
  });

  it("is forked with its versions, and its exported state has none of them", BROAD, async () => {
    const skill = await makeSkill();
    const desk = await openDesk({ system_prompt: "You decide refunds.", skills: [skill.id] });
    await desk.say("/say Hello.");

    const fork = await desk.ask<{ id: string }>("POST", "/fork", {});
    const context = await request<SessionContext>("GET", `/v1/sessions/${fork.body.id}/context`, {
      key,
    });
    const state = await desk.ask<{ middle_context: object }>("GET", "/state");

    expect(context.body.system_prompt).toBe(PROMPT);
    expect(Object.keys(state.body.middle_context)).not.toContain("skills");
  });

  it("is run again with the results of the record", BROAD, async () => {
    const skill = await makeSkill();
    const desk = await openDesk({ skills: [skill.id] });
    const { id: sessionId } = { id: desk.path.split("/").at(-1) };
    const recorded = await desk.read({ skill: "refund-policy" });
    await addVersion(skill);

    const replay = await request<{ replies: { calls: object[] }[]; stopped: unknown }>(
      "POST",
      `/v1/agents/${desk.agentId}/replays`,
      { key, body: { session_id: sessionId } },
    );

    expect(recorded).toContain("Read references/rules.md.");
    expect(replay.body.stopped).toBeNull();
    expect(JSON.stringify(replay.body.replies)).toContain("recorded");
  });
});

describe("an agent that names skills", () => {
  it.each([
    ["one that is none", [`skl_${"0".repeat(26)}`], "#/skills/0"],
    ["a version that is none", [{ id: "own", version: 2 }], "#/skills/0"],
    ["no id", ["refund-policy"], "#/skills/0"],
    ["one twice", ["own", { id: "own", version: 1 }], "#/skills"],
    ["two of one name", ["own", "twin"], "#/skills/1"],
    ["too many", Array.from({ length: 33 }, () => "own"), "#/skills"],
  ])("is refused with %s", async (_, skills, pointer) => {
    const ids: Readonly<Record<string, string>> = {
      own: (await makeSkill()).id,
      twin: (await makeSkill()).id,
    };
    const named = skills.map((skill) =>
      typeof skill === "string"
        ? (ids[skill] ?? skill)
        : { ...skill, id: ids[skill.id] ?? skill.id },
    );

    const refused = await request<{ code: string; errors: { pointer: string }[] }>(
      "POST",
      "/v1/agents",
      { key, body: { name: "A", skills: named } },
    );

    expect([refused.status, refused.body.code, refused.body.errors[0]?.pointer]).toEqual([
      400,
      "validation_failed",
      pointer,
    ]);
  });

  it(
    "has no tool of the name that reads them, and may be changed when one is gone",
    BROAD,
    async () => {
      const skill = await makeSkill();
      const tools = [{ type: "external", name: "read_skill" }];
      const body = { name: "A", tools, skills: [skill.id] };
      const refused = await request<{ errors: { pointer: string }[] }>("POST", "/v1/agents", {
        key,
        body,
      });
      const agentId = await createAgent(key, { skills: [skill.id] });
      await request("DELETE", `/v1/skills/${skill.id}`, { key });

      const path = `/v1/agents/${agentId}`;
      const renamed = await request("PATCH", path, { key, body: { name: "B" } });
      const emptied = await request("PATCH", path, { key, body: { skills: [] } });

      expect([refused.status, refused.body.errors.map(({ pointer }) => pointer)]).toEqual([
        400,
        ["#/tools/0/name"],
      ]);
      expect([renamed.status, emptied.status]).toEqual([200, 200]);
    },
  );

  it("gets no tool of that name from a session or from a page of AG-UI", async () => {
    const agentId = await createAgent(key, { skills: [(await makeSkill()).id] });
    const tools = [{ type: "external", name: "read_skill" }];
    const opened = await request<{ errors: { pointer: string }[] }>("POST", "/v1/sessions", {
      key,
      body: { agent_id: agentId, tools },
    });
    const runs = ["read_skill", "read_tool_result", "compress_context"].map((name) =>
      request<{ errors: { pointer: string }[] }>("POST", `/v1/agents/${agentId}/ag-ui`, {
        key,
        body: {
          threadId: `thread-${name}`,
          runId: `run-${name}`,
          state: {},
          messages: [{ id: `m-${name}`, role: "user", content: "Hello" }],
          tools: [{ name, description: "", parameters: { type: "object" } }],
          context: [],
          forwardedProps: {},
        },
      }),
    );
    const seen = [opened, ...(await Promise.all(runs))].map(({ status, body }) => [
      status,
      body.errors.map(({ pointer }) => pointer),
    ]);

    expect(seen).toEqual(Array.from({ length: 4 }, () => [400, ["#/tools/0/name"]]));
  });
});
