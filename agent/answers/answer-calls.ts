// The public functions and types of this folder: answers to calls that wait, and their expiry.
export { answerConfirmations } from "./answer-confirmations.ts";
export type {
  AnswerContext,
  Answered,
  AnswerRights,
  CallJournal,
  GivenAnswer,
} from "./answer-context.ts";
export { answerExternalCalls } from "./answer-external-calls.ts";
export { expireCalls } from "./expire-calls.ts";
