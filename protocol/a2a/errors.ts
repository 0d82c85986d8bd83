// Errors of A2A: one table for both bindings. Its names are those of the specification, section 5.4, without `Error`.

/** The domain of every `google.rpc.ErrorInfo` of A2A. */
const ERROR_DOMAIN = "a2a-protocol.org";

export const A2A_ERRORS = {
  task_not_found: { code: -32_001, status: 404, grpc: "NOT_FOUND" },
  task_not_cancelable: { code: -32_002, status: 400, grpc: "FAILED_PRECONDITION" },
  push_notification_not_supported: { code: -32_003, status: 400, grpc: "FAILED_PRECONDITION" },
  unsupported_operation: { code: -32_004, status: 400, grpc: "FAILED_PRECONDITION" },
  content_type_not_supported: { code: -32_005, status: 400, grpc: "INVALID_ARGUMENT" },
  invalid_agent_response: { code: -32_006, status: 500, grpc: "INTERNAL" },
  extended_agent_card_not_configured: { code: -32_007, status: 400, grpc: "FAILED_PRECONDITION" },
  extension_support_required: { code: -32_008, status: 400, grpc: "FAILED_PRECONDITION" },
  version_not_supported: { code: -32_009, status: 400, grpc: "FAILED_PRECONDITION" },
  // Errors of JSON-RPC, with what google.rpc says for the same.
  parse_error: { code: -32_700, status: 400, grpc: "INVALID_ARGUMENT" },
  invalid_request: { code: -32_600, status: 400, grpc: "INVALID_ARGUMENT" },
  method_not_found: { code: -32_601, status: 404, grpc: "NOT_FOUND" },
  invalid_params: { code: -32_602, status: 400, grpc: "INVALID_ARGUMENT" },
  internal_error: { code: -32_603, status: 500, grpc: "INTERNAL" },
} as const;

export type A2aErrorName = keyof typeof A2A_ERRORS;

interface A2aFieldViolation {
  readonly field: string;
  readonly description: string;
}

export interface A2aFailure {
  readonly name: A2aErrorName;
  readonly message: string;
  /** The machine's name of the cause; that of the error when left out. */
  readonly reason?: string;
  /** Facts for programs, in `ErrorInfo`. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly A2aFieldViolation[];
  /** Over the table's: where the platform knows the reason better, such as a quota. */
  readonly status?: number;
  readonly grpc?: string;
}

/** The `data` of JSON-RPC's error, and `details` of google.rpc.Status. */
export function a2aErrorDetails(failure: A2aFailure): readonly object[] {
  const { name, reason = name.toUpperCase(), metadata, violations } = failure;
  return [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason,
      domain: ERROR_DOMAIN,
      ...(metadata !== undefined && { metadata }),
    },
    ...(violations !== undefined && violations.length > 0
      ? [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            fieldViolations: violations,
          },
        ]
      : []),
  ];
}
