import { describe, expect, it } from "vitest";

import {
  contentOf,
  fileDraft,
  FOLDER_LIMITS,
  hasProblems,
  refusalProblems,
  sizeProblems,
  toFiles,
  withFiles,
  type FolderDraft,
} from "../../../console/pages/skills/folder-draft.ts";
import {
  MAX_SKILL_BYTES,
  MAX_SKILL_FILE_BYTES,
  MAX_SKILL_FILES,
  MAX_SKILL_TEXT_BYTES,
} from "../../../protocol/skills/limits.ts";
import { ApiError } from "../../../sdk/index.ts";

const text = (path: string, content: string) => fileDraft(path, { kind: "text", text: content });

function refusal(errors: readonly { pointer: string; detail: string }[]): ApiError {
  const problem = { code: "validation_failed", detail: "the body does not fit", errors };
  return new ApiError(new Response(null, { status: 400 }), problem as never);
}

describe("the folder of a skill that is being written", () => {
  it("has the platform's own bounds", () => {
    expect(FOLDER_LIMITS).toEqual({
      files: MAX_SKILL_FILES,
      fileBytes: MAX_SKILL_FILE_BYTES,
      folderBytes: MAX_SKILL_BYTES,
      mainBytes: MAX_SKILL_TEXT_BYTES,
    });
  });

  it("takes bytes for text when they are UTF-8 without a zero, and keeps a mark at their beginning", () => {
    const marked = new TextEncoder().encode("\uFEFFa");
    const kinds = [[0x61], [0xff], [0x61, 0]].map((bytes) => contentOf(new Uint8Array(bytes)).kind);

    expect(kinds).toEqual(["text", "binary", "binary"]);
    expect(contentOf(marked)).toEqual({ kind: "text", text: "\uFEFFa" });
  });

  it("replaces the file at a path and the text of SKILL.md, and leaves the rest", () => {
    const before: FolderDraft = { main: "Old.", others: [text("a.md", "A"), text("b.md", "B")] };
    const after = withFiles(before, [text("SKILL.md", "New."), text("b.md", "C"), text("c", "")]);

    expect(after.main).toBe("New.");
    expect(toFiles(after).map((file) => Object.values(file))).toEqual([
      ["SKILL.md", "New."],
      ["a.md", "A"],
      ["b.md", "C"],
      ["c", ""],
    ]);
    expect(after.others[1]?.key).toBe(before.others[1]?.key);
  });

  it("sends bytes that are no text as base64, also many of them", () => {
    const bytes = new Uint8Array(20_000).map((_, index) => index % 256);
    const [, file] = toFiles({ main: "", others: [fileDraft("a", { kind: "binary", bytes })] });

    expect(file).toEqual({ path: "a", base64: Buffer.from(bytes).toString("base64") });
  });

  it("counts bytes of UTF-8 against each bound", () => {
    const large = fileDraft("a", { kind: "binary", bytes: new Uint8Array(1_000_001) });
    const six = Array.from({ length: 6 }, () => text("a", "a".repeat(900_000)));
    const many = Array.from({ length: 200 }, (_, index) => text(`${index}`, ""));

    expect(sizeProblems({ main: "ä".repeat(100_001), others: [] }).main).toMatch(/200 kB/);
    expect([...sizeProblems({ main: "", others: [large] }).others.keys()]).toEqual([large.key]);
    expect(sizeProblems({ main: "", others: six }).folder).toMatch(/5 MB; these have 5\.4 MB/);
    expect(sizeProblems({ main: "", others: many }).folder).toMatch(/200 files at most.*201/);
    expect(hasProblems(sizeProblems({ main: "ä".repeat(100_000), others: [] }))).toBe(false);
  });

  it("puts what was refused at the file that it is about, and the rest below the form", () => {
    const draft = { main: "", others: [text("../a", ""), text("b", "")] };
    const [first] = draft.others;
    const problems = refusalProblems(
      refusal([
        { pointer: "#/files/0", detail: "SKILL.md: has no front matter" },
        { pointer: "#/files/1/path", detail: "no .." },
        { pointer: "#/files/1/path", detail: "a second one" },
        { pointer: "#/files", detail: "too many" },
      ]),
      draft,
    );

    expect(problems).toEqual({
      main: "SKILL.md: has no front matter.",
      others: new Map([[first?.key, "No ..."]]),
      folder: "Too many.",
    });
    expect(refusalProblems(new Error("offline"), draft).folder).toBe("offline");
  });
});
