// The refund desk of the examples: ids, times and a rule that several resources share.

/** When the customer's conversation begins. */
export const EXAMPLE_TIME = "2026-11-21T09:30:00.000Z";
/** When a person is asked whether the refund may run. */
export const ASKED_AT = "2026-11-21T09:31:00.000Z";

export const TENANT_ID = "ten_01kaj2v6f0h5n8q2r7s4t1v9w3";
export const KEY_ID = "key_01kaj2v6f0c4e7g1j5m9p3r6t0";
export const AGENT_ID = "agt_01kaj2v9c8m3p6t0x4z7b2d5f8";
export const SESSION_ID = "ses_01kaj2vcr4k7n1q5s9v3x6z0b2";
export const REPLY_ID = "rep_01kaj2vf3h8m2p6r0t4w7y1a5c";
export const WEBHOOK_ENDPOINT_ID = "whk_01kaj2w1d4f8h2k6n0q4t8w2y6";

/** The hash of the waiting refund's input. */
export const INPUT_HASH = "sha256:6b1f0c9d8e7a54320f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdef";

/** The rule that a person may add with the answer. */
export const REFUND_RULE = {
  tool_name: "refund_order",
  rule_content: null,
  behavior: "allow",
  source: "suggested",
};
