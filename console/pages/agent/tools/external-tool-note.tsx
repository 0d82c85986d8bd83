import { Wrench } from "lucide-react";

import { EmptyState } from "../../../components/empty-state.tsx";

/** In place of a form: the platform does not run the tool. */
export function ExternalToolNote() {
  return (
    <EmptyState icon={Wrench} title="Another system runs it">
      <p>
        A call of an external tool waits until your system posts the result, so there is nothing to
        call here. Try it in the playground, where you can give the result.
      </p>
    </EmptyState>
  );
}
