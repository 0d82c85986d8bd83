import { expect, test } from "vitest";

import { sumPoints } from "../../../console/pages/tenants/sum-points.ts";
import type { SeriesPoint } from "../../../sdk/index.ts";

const POINT: SeriesPoint = {
  at: "2026-03-01T00:00:00.000Z",
  agent_id: null,
  model_name: null,
  replies: 3,
  completed: 1,
  interrupted: 0,
  error: 2,
  exceed_max_iters: 0,
  error_types: { upstream: 1, rate_limited: 1 },
  first_output: [],
  waits: { permission: [], external_result: [] },
  input_tokens: 10,
  output_tokens: 5,
  audio_input_ms: 0,
  audio_output_ms: 0,
  audio_input_tokens: 0,
  audio_output_tokens: 0,
  cost_usd: 2,
};

test("points add up, types of errors by how often they were", () => {
  const other = { ...POINT, error: 4, error_types: { rate_limited: 3, quota_exceeded: 1 } };

  expect(sumPoints([POINT, other])).toEqual({
    replies: 6,
    failed: 6,
    input_tokens: 20,
    output_tokens: 10,
    cost_usd: 4,
    errors: [
      ["rate_limited", 4],
      ["upstream", 1],
      ["quota_exceeded", 1],
    ],
  });
});

test("a cost that is not known makes the sum unknown, and nothing is nothing", () => {
  expect(sumPoints([POINT, { ...POINT, cost_usd: null }]).cost_usd).toBeNull();
  expect(sumPoints([])).toEqual({
    replies: 0,
    failed: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    errors: [],
  });
});
