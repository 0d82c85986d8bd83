import { answerQuestions } from "../../../../sdk/index.ts";
import type { SessionCall } from "../../../../sdk/react/index.ts";
import { useMay } from "../../../access/access-context.ts";
import { failureText } from "../../../components/failure-text.ts";
import { QuestionForm } from "../../../components/waiting/question-form.tsx";
import { REFUSED_SIGN_IN } from "../../../components/waiting/refused-sign-in.ts";
import { SignInForm } from "../../../components/waiting/sign-in-form.tsx";
import { usePlayground } from "../playground-context.ts";
import { ResultForm } from "./result-form.tsx";

/** Form for a call that waits for an answer to its server's question, for a sign-in, or for a result. */
export function OutsideForm({ call }: { readonly call: SessionCall }) {
  const { elicitation, authorization } = call;
  const { actions, endUserId } = usePlayground();
  const mayAnswer = useMay("tool_results:write");
  if (!elicitation && !authorization) return <ResultForm call={call} />;
  if (!mayAnswer) {
    const what = authorization ? "sign in" : "answer";
    return <p className="quiet">Waits for a person who may {what}.</p>;
  }
  // A refusal is shown as the call's error.
  const submit = (result: Parameters<typeof actions.submitResult>[1]) =>
    void actions.submitResult(call, result).catch(() => undefined);
  return (
    <>
      {authorization ? (
        <SignInForm
          key={authorization.connection_id}
          authorization={authorization}
          endUserId={endUserId}
          isDisabled={call.isAnswering}
          onRefuse={() => submit(REFUSED_SIGN_IN)}
        />
      ) : (
        elicitation && (
          <QuestionForm
            question={elicitation}
            isDisabled={call.isAnswering}
            onAnswer={(responses) => submit(answerQuestions(responses))}
          />
        )
      )}
      {call.error && (
        <p role="alert" className="field-error">
          {failureText(call.error)}
        </p>
      )}
    </>
  );
}
