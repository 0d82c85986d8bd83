// Words that mean the same at every route.

import type { Contract } from "./contract.ts";
import { REQUEST_WORDS } from "./words.ts";

export const REQUEST_CONTRACT = {
  queryParameters: {
    limit: "Items on the page at most.",
    page: "The `next_page` of the page before.",
    agent_id: "Only what belongs to this agent.",
    created_after: "Only those created at this moment or later.",
    created_before: "Only those created before this moment.",
    end_user_id: "Only sessions of this end user.",
    status: "Only what is in this state.",
    tenant_id: "The tenant: the operator names it, a tenant's own key may leave it out.",
    replace: "`true` takes the place of what is there.",
    validate_only: "`true` checks the request and writes nothing.",
    strict:
      "`true` refuses what has parts that say nothing, which else are `warnings` of the answer.",
    format:
      "The dialect of the events: `agentscope` is the log's own; `agentscope-java` is that of AgentScope for Java, and `ag-ui` that of the Agent User Interaction Protocol 1.0; docs/protocol.md compares them with it.",
  },
  fields: REQUEST_WORDS,
  examples: {
    problem: {
      summary: "A field that is not known",
      value: {
        type: "urn:reprise:problem:validation_failed",
        title: "The request does not fit its schema",
        status: 400,
        detail: "the body does not fit; `errors` says where",
        code: "validation_failed",
        request_id: "req_01kaj2vh6j0m4p7s1v5x9z3b6d",
        errors: [{ pointer: "#/colour", detail: "is not a known field" }],
      },
    },
  },
} as const satisfies Contract;
