import { describe, expect, it } from "vitest";

import { MAX_AUDIT_SIDE_BYTES } from "../../../protocol/audit/limits.ts";
import { utf8Bytes } from "../../../protocol/utf8-bytes.ts";
import { auditChange } from "../../../worker/audit/audit-change.ts";

describe("what an entry says about a change", () => {
  it("is what differs alone", () => {
    const before = { id: "a", name: "Old", tools: [{ name: "x" }], updated_at: "1", gone: 1 };
    const after = { id: "a", name: "New", tools: [{ name: "x" }], updated_at: "2", fresh: null };

    expect(auditChange(before, after)).toEqual({
      before: { name: "Old", gone: 1 },
      after: { name: "New", fresh: null },
    });
  });

  it("is all of it where there was nothing, or nothing is left", () => {
    expect(auditChange(null, { name: "New" })).toEqual({ before: null, after: { name: "New" } });
    expect(auditChange({ name: "Old" }, null)).toEqual({ before: { name: "Old" }, after: null });
    expect(auditChange(null, null)).toEqual({ before: null, after: null });
  });

  it("says that a secret has changed, and never what it is", () => {
    const tool = (key: string) => ({
      tools: [{ url: `https://a.example/?key=${key}#${key}`, headers: { "X-Key": key } }],
      secret: key,
      token: [key],
      model: { api_key: key, headers: null, base_url: `https://m.example?${key}`, max_tokens: 5 },
      parameters: { client_secret: key, extra_headers: { "X-Key": key }, Authorization: key },
    });

    expect(auditChange(tool("first"), tool("second"))).toEqual({
      before: {
        tools: [{ url: "https://a.example/?(hidden)", headers: { "X-Key": "(hidden)" } }],
        secret: "(hidden)",
        token: "(hidden)",
        model: {
          api_key: "(hidden)",
          headers: null,
          base_url: "https://m.example?(hidden)",
          max_tokens: 5,
        },
        parameters: {
          client_secret: "(hidden)",
          extra_headers: { "X-Key": "(hidden)" },
          Authorization: "(hidden)",
        },
      },
      after: {
        tools: [{ url: "https://a.example/?(hidden)", headers: { "X-Key": "(hidden)" } }],
        secret: "(hidden)",
        token: "(hidden)",
        model: {
          api_key: "(hidden)",
          headers: null,
          base_url: "https://m.example?(hidden)",
          max_tokens: 5,
        },
        parameters: {
          client_secret: "(hidden)",
          extra_headers: { "X-Key": "(hidden)" },
          Authorization: "(hidden)",
        },
      },
    });
  });

  it("says which credentials a tool's headers name: they are ids", () => {
    const tool = (id: string) => ({
      tools: [{ name: "t", secret_headers: { Authorization: id, "x-api-key": id } }],
    });

    expect(auditChange(tool("crd_1"), tool("crd_2"))).toEqual({
      before: tool("crd_1"),
      after: tool("crd_2"),
    });
  });

  it("has the size of what is too large in its place, and all that has room", () => {
    const { after } = auditChange(null, {
      long: "ü".repeat(MAX_AUDIT_SIDE_BYTES),
      name: "Desk",
      half: "x".repeat(MAX_AUDIT_SIDE_BYTES / 2),
      more: "x".repeat(MAX_AUDIT_SIDE_BYTES / 2 + 1),
    });

    expect(after).toEqual({
      long: { omitted_bytes: 2 * MAX_AUDIT_SIDE_BYTES + '{"long":""}'.length },
      name: "Desk",
      half: "x".repeat(MAX_AUDIT_SIDE_BYTES / 2),
      more: { omitted_bytes: MAX_AUDIT_SIDE_BYTES / 2 + 1 + '{"more":""}'.length },
    });
    expect(utf8Bytes(JSON.stringify(after))).toBeLessThan(MAX_AUDIT_SIDE_BYTES + 100);
  });
});
