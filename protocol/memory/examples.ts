// A memory of the refund desk, as the API's document shows it.
import { AGENT_ID, ASKED_AT, EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../refund-desk.ts";

const STORE_ID = "memstore_zzzzzzzzzz3h8m2p6r0t4w7y1a";
const MEMORY_ID = "mem_01kaj2vf3h8m2p6r0t4w7y1a5c";
const VERSION_ID = "memver_01kaj2vf3h8m2p6r0t4w7y1a5d";

export const STORE = {
  id: STORE_ID,
  agent_id: AGENT_ID,
  end_user_id: "customer-42",
  memories: 1,
  bytes: 77_824,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};

export const NEW_MEMORY = {
  content: "Parcels go to the office in Berlin.",
  path: "delivery/address",
};

const written = {
  path: "delivery/address",
  content: "Parcels go to the office in Berlin.",
  content_sha256: "sha256:7a2b0c9d8e7a54320f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdef",
  source: { session_id: SESSION_ID, reply_id: REPLY_ID, tool_call_id: null },
  untrusted: null,
  supersedes: null,
};

export const MEMORY = {
  id: MEMORY_ID,
  store_id: STORE_ID,
  ...written,
  version: 1,
  version_id: VERSION_ID,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};

export const VERSION = {
  id: VERSION_ID,
  store_id: STORE_ID,
  memory_id: MEMORY_ID,
  version: 1,
  operation: "recorded",
  merged_into: null,
  ...written,
  created_at: EXAMPLE_TIME,
  redacted_at: null,
};

export const REDACTED = { memory_id: MEMORY_ID, version_ids: [VERSION_ID], redacted_at: ASKED_AT };

export const CONSOLIDATION = {
  id: "memcon_01kaj2vf3h8m2p6r0t4w7y1a5e",
  store_id: STORE_ID,
  status: "completed",
  model: "scripted",
  instructions: "Keep what is said about deliveries apart.",
  max_tokens: null,
  memories: 12,
  read: 12,
  written: 1,
  superseded: 1,
  skipped: 0,
  usage: {
    input_tokens: 1_840,
    output_tokens: 96,
    cache_input_tokens: 0,
    cache_creation_input_tokens: 0,
  },
  cost_usd: 0.0021,
  error: null,
  created_at: EXAMPLE_TIME,
  started_at: EXAMPLE_TIME,
  ended_at: ASKED_AT,
};
