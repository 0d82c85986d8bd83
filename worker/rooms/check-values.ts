import { findMisfit } from "../../agent/json-schema/find-misfit.ts";
import type { RoomInput } from "../../protocol/rooms/conversation.ts";
import { fieldError, unwrap } from "../http-error.ts";
import type { RoomStub } from "../objects/room-stub.ts";

/**
 * The values of a person's turn fit the form that is asked for. Which turn is meant, the room says itself.
 * @throws HttpError 400 for values without a form, for none where there is one, and for those that do not fit.
 */
export async function checkValues(stub: RoomStub, input: RoomInput): Promise<void> {
  if (input.action === "decline") return;
  const { input_requests } = unwrap(await stub.read());
  const open = input_requests.filter(
    ({ id, participant }) =>
      (input.input_request_id === undefined || id === input.input_request_id) &&
      (input.participant === undefined || participant === input.participant),
  );
  const [asked] = open;
  if (open.length !== 1 || !asked) return;
  const { values } = input;
  if (asked.form === null) {
    if (values === undefined) return;
    throw fieldError("validation_failed", "#/values", "a text is asked for: give `content`");
  }
  if (values === undefined) {
    throw fieldError("validation_failed", "#/values", "a form is asked for: give its `values`");
  }
  const misfit = findMisfit(values, asked.form, { schemaName: "the form that is asked for" });
  if (!misfit) return;
  throw fieldError("validation_failed", "#/values", `the answer ${misfit.text}`);
}
