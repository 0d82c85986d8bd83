// Problems: the bodies of error answers.
import * as z from "zod";

import { ERRORS, type ErrorCode, type Refusal } from "./errors.ts";
import { FieldErrorSchema } from "./field-error.ts";
import type { Frozen } from "./messages/frozen.ts";

const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The body of an `application/problem+json` answer (RFC 9457). Other members are extensions of some codes. */
export const ProblemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.enum(ERROR_CODES),
  request_id: z.string(),
  errors: z.array(FieldErrorSchema).optional(),
});
export interface Problem extends Frozen<z.infer<typeof ProblemSchema>> {}

/** The HTTP form of a refusal. */
export function toProblem(refusal: Refusal, requestId: string): Problem {
  const { status, title } = ERRORS[refusal.code];
  return {
    ...refusal.extensions,
    type: `urn:reprise:problem:${refusal.code}`,
    title,
    status,
    detail: refusal.detail,
    code: refusal.code,
    request_id: requestId,
    ...(refusal.errors && { errors: refusal.errors }),
  };
}
