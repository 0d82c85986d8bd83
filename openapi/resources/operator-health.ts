// The operator's report on the deployment.
import { OperatorHealthSchema } from "../../protocol/operator/contract.ts";
import type { Resource } from "../resource.ts";

export const OPERATOR_HEALTH = {
  operations: {
    readOperatorHealth: {
      tag: "Platform",
      summary: "Get the health of the deployment",
      description: [
        "Whether the deployment is ready and its stores answer, what waits in its queues, what was done in the last hour,",
        "and which tenants are stopped. Contains nothing of tenants but their ids. While the database does not answer the",
        "report says so, and has null for what only the database knows. What sessions have not delivered to the database",
        "yet is in their objects, and not part of the report.",
      ].join(" "),
      answers: { 200: { description: "The report.", json: OperatorHealthSchema } },
    },
  },

  fieldDescriptions: {
    "OperatorHealth.status":
      "`degraded` when the deployment is not ready, or a store does not answer.",
    "OperatorHealth.checked_at": "When the report was made.",
    "OperatorHealth.readiness": "As `/readyz` answers, kept for some seconds.",
    "OperatorHealth.database": "Whether D1 answered, and after how many milliseconds.",
    "OperatorHealth.database.ms":
      "Milliseconds until D1 answered, or until the report went on without it.",
    "OperatorHealth.files": "Whether R2 answered, and after how many milliseconds.",
    "OperatorHealth.files.ms":
      "Milliseconds until R2 answered, or until the report went on without it.",
    "OperatorHealth.queues":
      "Work that waits, counted up to 10,000 each; null while the database does not answer.",
    "OperatorHealth.activity":
      "What was done in the last hour, in whole slots of ten minutes; null while the database does not answer.",
    "OperatorHealth.tenants": "Tenants that are stopped; null while the database does not answer.",
  },
} as const satisfies Resource;
