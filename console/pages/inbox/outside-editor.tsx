import { useQuery } from "@tanstack/react-query";

import { answerQuestions, type Confirmation } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { QuestionForm } from "../../components/waiting/question-form.tsx";
import { REFUSED_SIGN_IN } from "../../components/waiting/refused-sign-in.ts";
import { SignInForm } from "../../components/waiting/sign-in-form.tsx";
import type { CallAnswer } from "./answer-calls.ts";
import { ResultEditor } from "./result-editor.tsx";

interface OutsideEditorProps {
  readonly call: Confirmation;
  readonly isDisabled: boolean;
  readonly onSend: (answer: CallAnswer) => void;
  readonly onSignedIn: () => void;
}

/** Form for a call that waits for an answer to its server's question, for a sign-in, or for a result. */
export function OutsideEditor({ call, isDisabled, onSend, onSignedIn }: OutsideEditorProps) {
  const reprise = useReprise();
  const isCut = call.tool_call === null;
  // The list leaves large calls out; their session has them whole.
  const { data, error, refetch } = useQuery({
    queryKey: ["waiting-call", call.session_id, call.tool_call_id, call.asked_at],
    queryFn: async () => (await reprise.session(call.session_id).get()).pending,
    enabled: isCut,
  });
  if (isCut && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isCut && !data) return <LoadingState label="Reading what it waits for…" />;
  const whole = data?.find(({ tool_call }) => tool_call.id === call.tool_call_id) ?? call;
  const { authorization, elicitation } = whole;
  if (authorization) {
    return (
      <SignInForm
        key={authorization.connection_id}
        authorization={authorization}
        endUserId={call.end_user_id}
        isDisabled={isDisabled}
        onDone={onSignedIn}
        onRefuse={() => onSend({ call, result: REFUSED_SIGN_IN })}
      />
    );
  }
  if (elicitation) {
    return (
      <QuestionForm
        question={elicitation}
        isDisabled={isDisabled}
        onAnswer={(responses) => onSend({ call, result: answerQuestions(responses) })}
      />
    );
  }
  return <ResultEditor call={call} isDisabled={isDisabled} onSend={onSend} />;
}
