// Skills through the front door: what is kept of a folder, and what is refused.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { Skill, SkillVersion } from "../../../protocol/skills/contract.ts";
import { MAX_SKILL_VERSIONS } from "../../../protocol/skills/limits.ts";
import { listKeys, PNG } from "../files/files.ts";
import { ask, makeTenant, OPERATOR, refusalOf, send, type Call } from "../support/api.ts";
import { skillFolder } from "../support/skill-folder.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

function create(call: Call, json: object = skillFolder()) {
  return ask<Skill>("POST", "/v1/skills", { ...call, json });
}

function addVersion(call: Call, skill: Skill, json: object, headers = {}) {
  return ask<SkillVersion>("POST", `/v1/skills/${skill.id}/versions`, { ...call, json, headers });
}

describe("a skill", () => {
  test("is kept with its versions, byte for byte", async () => {
    const { call } = await makeTenant();
    const files = [
      { path: "assets/logo.png", base64: base64(PNG) },
      { path: "a b/ü.json", text: '{"ü": 1}' },
      { path: "empty.txt", text: "" },
      { path: "data.bin", base64: "AAEC/w==" },
    ];

    const made = await create(call, skillFolder("pdf-forms", { files }));
    const { json: skill } = made;
    const added = await addVersion(call, skill, skillFolder("pdf-forms", { body: "Now." }));

    expect([made.status, made.headers.get("Location"), made.headers.get("ETag")]).toEqual([
      201,
      `/v1/skills/${skill.id}`,
      '"1"',
    ]);
    const text = "---\nname: pdf-forms\ndescription: Does pdf-forms.\n---\n";
    expect(skill).toEqual({
      id: expect.stringMatching(/^skl_/),
      name: "pdf-forms",
      description: "Does pdf-forms.",
      version: 1,
      file_count: 5,
      bytes: text.length + 12 + PNG.length + 9 + 4,
      created_at: expect.any(String),
      updated_at: skill.created_at,
    });
    expect([added.status, added.headers.get("Location"), added.json]).toEqual([
      201,
      `/v1/skills/${skill.id}/versions/2`,
      {
        skill_id: skill.id,
        version: 2,
        name: "pdf-forms",
        description: "Does pdf-forms.",
        file_count: 1,
        bytes: text.length + 4,
        created_at: expect.any(String),
        files: [
          { path: "SKILL.md", bytes: text.length + 4, media_type: "text/markdown", is_text: true },
        ],
      },
    ]);
    const path = `/v1/skills/${skill.id}`;
    const now = { ...skill, version: 2, file_count: 1, bytes: text.length + 4 };
    const read = await ask<Skill>("GET", path, call);
    expect(read.json).toEqual({ ...now, updated_at: added.json.created_at });
    expect((await ask<Page<Skill>>("GET", "/v1/skills", call)).json.data).toEqual([read.json]);
    const versions = await ask<Page<SkillVersion>>("GET", `${path}/versions?limit=1`, call);
    const { files: _, ...summary } = added.json;
    expect([versions.json.data, versions.json.has_more]).toEqual([[summary], true]);
    const first = await ask<SkillVersion>("GET", `${path}/versions/1`, call);
    expect(first.json.files).toEqual([
      { path: "SKILL.md", bytes: text.length + 12, media_type: "text/markdown", is_text: true },
      { path: "a b/ü.json", bytes: 9, media_type: "application/json", is_text: true },
      { path: "assets/logo.png", bytes: PNG.length, media_type: "image/png", is_text: false },
      { path: "data.bin", bytes: 4, media_type: "application/octet-stream", is_text: false },
      { path: "empty.txt", bytes: 0, media_type: "text/plain", is_text: true },
    ]);
    const content = async (file: string, headers = {}) => {
      const query = `?path=${encodeURIComponent(file)}`;
      const answer = await send("GET", `${path}/versions/1/content${query}`, { ...call, headers });
      return [answer.status, new Uint8Array(await answer.arrayBuffer())];
    };
    expect(await content("assets/logo.png")).toEqual([200, PNG]);
    expect(await content("a b/ü.json", { Range: "bytes=2-3" })).toEqual([
      206,
      new TextEncoder().encode("ü"),
    ]);
    expect(await content("empty.txt")).toEqual([200, new Uint8Array(0)]);
    expect((await content("none"))[0]).toBe(404);
  });

  test("is deleted with the bytes of all versions, and an audit says who", async () => {
    const { id, call } = await makeTenant();
    const { json: skill } = await create(call);
    await addVersion(call, skill, skillFolder());

    const stored = await listKeys(id);
    const deleted = await ask("DELETE", `/v1/skills/${skill.id}`, call);
    const again = await ask("DELETE", `/v1/skills/${skill.id}`, call);

    expect([stored.length, deleted.status, again.status]).toEqual([2, 204, 404]);
    expect((await ask("GET", `/v1/skills/${skill.id}/versions/1`, call)).status).toBe(404);
    await expect.poll(() => listKeys(id)).toEqual([]);
    await expect
      .poll(async () => (await readLimits(call)).used)
      .toMatchObject({ skills: 0, stored_bytes: 0 });
    const audit = await ask<Page<AuditEntry>>("GET", `/v1/audit?target_id=${skill.id}`, call);
    expect(audit.json.data.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["skill.deleted", expect.objectContaining({ version: 2 }), null],
      ["skill.version_created", { version: 1 }, { version: 2 }],
      ["skill.created", null, expect.objectContaining({ name: "pdf-forms", version: 1 })],
    ]);
  });

  test("goes with its tenant", async () => {
    const { id, call } = await makeTenant();
    await create(call);

    await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);

    await expect.poll(() => listKeys(id)).toEqual([]);
    const rows = `SELECT (SELECT count(*) FROM skills WHERE tenant_id = ?1)
      + (SELECT count(*) FROM skill_versions WHERE tenant_id = ?1)
      + (SELECT count(*) FROM files WHERE tenant_id = ?1) AS found`;
    await expect.poll(() => env.DB.prepare(rows).bind(id).first<number>("found")).toBe(0);
  });

  test("counts as stored bytes, and as no file of the tenant", async () => {
    const { id, call } = await makeTenant();
    const { json: skill } = await create(call);
    const { used } = await readLimits(call);
    await changeTenant(id, { quotas: { stored_bytes: 4_096 } });

    const refused = await addVersion(call, skill, skillFolder());
    const row = await env.DB.prepare("SELECT id FROM files WHERE tenant_id = ?").bind(id).first();

    expect([used.skills, used.stored_bytes]).toEqual([1, 4_096]);
    expect([refused.status, (refused.json as object as { quota: string }).quota]).toEqual([
      429,
      "stored_bytes",
    ]);
    const file = `/v1/files/${String(row?.["id"])}`;
    const asked = await Promise.all([
      ask("GET", file, call),
      ask("GET", `${file}/content`, call),
      ask("DELETE", file, call),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await ask<Page<object>>("GET", "/v1/files", call)).json.data).toEqual([]);
    expect(await listKeys(id)).toHaveLength(1);
  });

  test("gets each version once, however many are written at a time", async () => {
    const { call } = await makeTenant();
    const { json: skill } = await create(call);

    const answers = await Promise.all(
      ["a", "b", "c"].map((body) => addVersion(call, skill, skillFolder("pdf-forms", { body }))),
    );

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers.map(({ json }) => json.version).toSorted()).toEqual([2, 3, 4]);
  });

  test("gets a version behind the one that If-Match names, and behind no other", async () => {
    const { id, call } = await makeTenant();
    const { json: skill } = await create(call);
    const write = (tag: string) => addVersion(call, skill, skillFolder(), { "If-Match": tag });

    const answers = [await write('"2"'), await write('"1"'), await write('"1"'), await write("*")];

    expect(answers.map(({ status }) => status)).toEqual([412, 201, 412, 201]);
    expect(await listKeys(id)).toHaveLength(3);
  });

  test("keeps its name, and has a bounded number of versions", async () => {
    const { call } = await makeTenant();
    const { json: skill } = await create(call);

    const renamed = await addVersion(call, skill, skillFolder("other"));
    await env.DB.prepare("UPDATE skills SET version = ? WHERE id = ?")
      .bind(MAX_SKILL_VERSIONS, skill.id)
      .run();
    const full = await addVersion(call, skill, skillFolder());

    expect([refusalOf(renamed as never), refusalOf(full as never)]).toEqual([
      { status: 400, code: "validation_failed", pointers: ["#/files"] },
      { status: 409, code: "conflict", pointers: undefined },
    ]);
  });
});

describe("a folder", () => {
  const main = skillFolder().files;
  const beside = (path: string) => [...main, { path, text: "x" }];

  test.each([
    ["..", "../SKILL.md"],
    [".. inside", "a/../b"],
    [".", "./a"],
    ["an absolute path", "/etc/passwd"],
    ["an empty name", "a//b"],
    ["a folder alone", "a/"],
    ["a backslash", "a\\b"],
    ["a drive", "C:/a"],
    ["a control character", "a\nb"],
    ["a zero", "a\0b"],
    ["a text direction mark", "a\u202eb"],
    ["half of a surrogate pair", "a\ud800"],
    ["a space at an end", "a /b"],
    ["a dot at an end", "a."],
    ["another normal form", "u\u0308"],
    ["too many names", "a/".repeat(8) + "b"],
    ["too many characters", "a".repeat(201)],
    ["the same path", "SKILL.md"],
    ["the same path in capitals", "skill.MD"],
    ["a file as a folder", "SKILL.md/a"],
    ["the same path in another form of a letter", "\u017fkill.md"],
    ["a device of Windows", "docs/nul"],
    ["a device with an ending", "COM1.tar.gz"],
    ["a device with a space behind it", "aux .md"],
    ["a device as a folder", "lpt\u00b9/a.md"],
    ["a question mark", "what?.md"],
    ["a star", "*.md"],
    ["a pipe", "a|b"],
    ["quotes", 'a"b'],
    ["angle brackets", "<a>"],
    ["an unassigned character", "a\u0378"],
    ["a name of too many bytes", `docs/${"\u00e9".repeat(128)}`],
  ])("with %s in a path is refused, with a pointer", async (_, path) => {
    const { call } = await makeTenant();

    const refused = await create(call, { files: beside(path) });

    expect(refusalOf(refused as never)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/files/1/path"],
    });
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `f${index}`, text: "" }));
  const megabyte = "x".repeat(1_000_000);
  test.each([
    ["no file", [], 400, "#/files"],
    ["no SKILL.md", [{ path: "a", text: "" }], 400, "#/files"],
    ["SKILL.md in a folder", [{ path: "a/SKILL.md", text: "" }], 400, "#/files"],
    ["no front matter", [{ path: "SKILL.md", text: "Do it." }], 400, "#/files/0"],
    ["bytes as its text", [{ path: "SKILL.md", base64: "/w==" }], 400, "#/files/0"],
    ["a zero in its text", [{ path: "SKILL.md", text: "---\0" }], 400, "#/files/0"],
    ["text and base64", [{ path: "SKILL.md", text: "", base64: "" }], 400, "#/files/0"],
    ["neither of them", [{ path: "SKILL.md" }], 400, "#/files/0"],
    ["no base64", [...main, { path: "a", base64: "a" }], 400, "#/files/1/base64"],
    ["a file that is too large", [...main, { path: "a", text: `${megabyte}x` }], 400, "#/files/1"],
    [
      "a SKILL.md that is too large",
      skillFolder("a", { body: megabyte.slice(0, 200_000) }).files,
      400,
      "#/files/0",
    ],
    [
      "too many bytes",
      [...main, ...["a", "b", "c", "d", "e"].map((path) => ({ path, text: megabyte }))],
      400,
      "#/files",
    ],
    ["201 files", [...main, ...many(200)], 400, "#/files"],
    ["10,000 files", [...main, ...many(10_000)], 400, "#"],
    ["a body that is too large", [...main, { path: "a", text: megabyte.repeat(8) }], 413, "#"],
  ])("with %s is refused, and nothing is kept", async (_, files, status, pointer) => {
    const { id, call } = await makeTenant();

    const refused = await create(call, { files });

    const { errors } = refused.json as object as { errors?: { pointer: string }[] };
    expect([refused.status, errors?.[0]?.pointer]).toEqual([status, pointer]);
    expect(await listKeys(id)).toEqual([]);
    expect((await readLimits(call)).used).toMatchObject({ skills: 0, stored_bytes: 0 });
  });

  test("may have as much as the bounds allow", async () => {
    const { call } = await makeTenant();
    const files = [...["a", "b", "c", "d"].map((path) => ({ path, text: megabyte })), ...many(195)];

    const made = await create(call, skillFolder("full", { files }));

    expect([made.status, made.json.file_count]).toEqual([201, 200]);
  });

  test.each(["con", "nul", "com1", "lpt9"])(
    "of a skill that is called %s is refused, since Windows has no such folder",
    async (name) => {
      const { call } = await makeTenant();

      const refused = await create(call, skillFolder(name));

      expect(refusalOf(refused as never)).toMatchObject({ status: 400, pointers: ["#/files/0"] });
      expect((await readLimits(call)).used).toMatchObject({ skills: 0, stored_bytes: 0 });
    },
  );

  test("that was stored when its names were taken is read as before", async () => {
    const { call } = await makeTenant();
    const { json: skill } = await create(
      call,
      skillFolder("notes", { files: [{ path: "what.md", text: "Why not." }] }),
    );
    await env.DB.prepare(
      `UPDATE skill_versions SET files = replace(files, 'what.md', 'nul?.md') WHERE skill_id = ?`,
    )
      .bind(skill.id)
      .run();
    const version = `/v1/skills/${skill.id}/versions/1`;
    const listed = await ask<SkillVersion>("GET", version, call);
    const query = `?path=${encodeURIComponent("nul?.md")}`;
    const content = await ask("GET", `${version}/content${query}`, call);

    expect(listed.json.files.map(({ path }) => path)).toEqual(["SKILL.md", "nul?.md"]);
    expect([content.status, content.text]).toEqual([200, "Why not."]);
  });

  test("that is refused by the quota of skills counts no bytes, and leaves none", async () => {
    const { id, call } = await makeTenant();
    await changeTenant(id, { quotas: { skills: 1 } });
    await create(call);
    const before = (await readLimits(call)).used;

    const refused = await create(call, skillFolder("another"));

    const rows = "SELECT count(*) AS n FROM files WHERE tenant_id = ?";
    expect(refusalOf(refused as never)).toMatchObject({ status: 429, code: "quota_exceeded" });
    expect((await readLimits(call)).used).toEqual(before);
    expect(await listKeys(id)).toHaveLength(1);
    expect(await env.DB.prepare(rows).bind(id).first<number>("n")).toBe(1);
  });

  test("with a bomb in its front matter is refused at once", async () => {
    const { call } = await makeTenant();
    const lines = ["a: &a [x, x]", ...Array.from({ length: 500 }, () => "b: [*a, *a, *a, *a]")];
    const text = `---\n${lines.join("\n")}\nname: *a\n---\n`;

    const refused = await create(call, { files: [{ path: "SKILL.md", text }] });

    expect(refusalOf(refused as never)).toMatchObject({ status: 400, pointers: ["#/files/0"] });
  });
});
