import { describe, expect, test } from "vitest";

import {
  grantLease,
  type LeaseCircumstances,
} from "../../../durable-objects/tenants/grant-lease.ts";
import { DEFAULT_QUOTAS } from "../../../protocol/quotas/contract.ts";

const NOON = Date.parse("2026-03-01T12:00:00.000Z");

function circumstances(changes: {
  readonly quotas?: object;
  readonly status?: "suspended" | "closed";
  readonly more?: Partial<LeaseCircumstances>;
}): LeaseCircumstances {
  const { quotas, status = "active", more } = changes;
  return {
    settings: { status, quotas: { ...DEFAULT_QUOTAS, ...quotas }, revision: 0 },
    others: { replies: 0, reserved: 0, held: 0 },
    isRunning: false,
    tokensOfDay: 0,
    storedBytes: null,
    nowMs: NOON,
    ...more,
  };
}

function quotaOf(granted: ReturnType<typeof grantLease>): unknown {
  return granted.ok ? granted.value : granted.refusal.extensions;
}

describe("granting a lease", () => {
  test("refuses the reply that would be one too many, and not one that runs already", () => {
    const quotas = { running_replies: 2 };
    const more = { others: { replies: 2, reserved: 0, held: 0 } };

    const asked = [
      grantLease("start", circumstances({ quotas, more })),
      grantLease("running", circumstances({ quotas, more })),
      grantLease("running", circumstances({ quotas, more: { ...more, isRunning: true } })),
      grantLease("reading", circumstances({ quotas, more })),
    ];

    const refused = { quota: "running_replies", limit: 2, retry_after_ms: 30_000 };
    expect(asked.map(quotaOf)).toEqual([refused, refused, 50_000, 0]);
  });

  test("grants what is left of the day's tokens, without what others were granted", () => {
    const quotas = { tokens_per_day: 100_000 };
    const left = (tokensOfDay: number, reserved: number) =>
      quotaOf(
        grantLease(
          "running",
          circumstances({
            quotas,
            more: { tokensOfDay, others: { replies: 1, reserved, held: 0 } },
          }),
        ),
      );

    const spent = { quota: "tokens_per_day", limit: 100_000 };
    expect([left(0, 0), left(40_000, 50_000), left(100_000, 0)]).toEqual([
      50_000,
      10_000,
      { ...spent, retry_after_ms: 43_200_000 },
    ]);
    // Room comes with the end of a reply, not of the day.
    expect([left(50_000, 50_000), left(0, 100_000)]).toEqual([
      { ...spent, retry_after_ms: 30_000 },
      { ...spent, retry_after_ms: 30_000 },
    ]);
  });

  test("lets no reply begin over the quota of bytes, and one in mid-run go on", () => {
    const quotas = { stored_bytes: 10 };
    const full = circumstances({ quotas, more: { storedBytes: 10 } });

    expect([quotaOf(grantLease("start", full)), quotaOf(grantLease("running", full))]).toEqual([
      { quota: "stored_bytes", limit: 10 },
      50_000,
    ]);
  });

  test("binds the end user who asks to their share, and nobody else", () => {
    const share = { sessions: null, running_replies: 2, stored_bytes_percent: 10 };
    const quotas = { stored_bytes: 1_000 };
    const others = { replies: 2, reserved: 0, held: 2 };
    const ask = (use: "start" | "running", more: Partial<LeaseCircumstances>) =>
      quotaOf(grantLease(use, circumstances({ quotas, more })));

    const bound = { others, endUser: { share, storedBytes: 0 } };
    const running = { quota: "end_user_running_replies", limit: 2, retry_after_ms: 30_000 };
    expect([
      ask("start", bound),
      ask("running", bound),
      ask("running", { ...bound, isRunning: true }),
      ask("start", { others }),
      ask("start", {
        others,
        endUser: { share: { ...share, running_replies: null }, storedBytes: 0 },
      }),
    ]).toEqual([running, running, 50_000, 50_000, 50_000]);

    const full = { endUser: { share, storedBytes: 100 } };
    expect([
      ask("start", full),
      ask("running", full),
      ask("start", { endUser: { share, storedBytes: 99 } }),
      ask("start", { endUser: { share, storedBytes: null } }),
      ask("start", {
        endUser: { share: { ...share, stored_bytes_percent: null }, storedBytes: 900 },
      }),
    ]).toEqual([{ quota: "end_user_stored_bytes", limit: 100 }, 50_000, 50_000, 50_000, 50_000]);
  });

  test.each([
    ["suspended", "tenant_suspended"],
    ["closed", "not_found"],
  ] as const)("refuses everything of a tenant that is %s", (status, code) => {
    const codes = (["start", "running", "reading"] as const).map((use) => {
      const granted = grantLease(use, circumstances({ status }));
      return granted.ok ? null : granted.refusal.code;
    });

    expect(codes).toEqual([code, code, code]);
  });
});
