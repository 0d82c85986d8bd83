// Answers of people and of systems outside, from one door: what is refused, and what follows from the rest.
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
