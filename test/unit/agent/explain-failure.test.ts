// Failures in words.
import { describe, expect, it } from "vitest";

import { describeFailure, hintFor } from "../../../agent/explain-failure.ts";
import { FailureKindSchema } from "../../../protocol/diagnostics/contract.ts";

const model = { name: "The model endpoint m.example", isModel: true, credential_id: "crd_1" };
const tool = { name: "The tool look", isModel: false, credential_id: null };

describe("a failure in words", () => {
  it.each(FailureKindSchema.options)("of kind %s has a sentence and a hint of its own", (kind) => {
    for (const party of [model, tool]) {
      const said = describeFailure({ kind, http_status: null, code: null }, party);
      const hint = hintFor({ kind }, party);

      expect(said.startsWith(`${party.name} `)).toBe(true);
      expect(said).not.toMatch(/undefined|null|\.$/);
      expect(hint).toMatch(/^[A-Z].*\.$/);
      expect(hint).not.toMatch(/undefined|null/);
    }
  });

  it("names status and code, and the credential to look at", () => {
    const failed = { kind: "credential_refused", http_status: 401, code: "bad_key" } as const;

    expect(describeFailure(failed, model)).toBe(
      "The model endpoint m.example answered 401 (bad_key)",
    );
    expect(hintFor(failed, model)).toContain("the credential crd_1");
    expect(hintFor(failed, tool)).toContain("names no credential");
  });

  it("does not name a status where that would mislead", () => {
    const lost = { kind: "connection_lost", http_status: 200, code: null } as const;

    expect(describeFailure(lost, tool)).toBe(
      "The tool look closed the connection before its answer ended",
    );
  });
});
