import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useBlocker } from "@tanstack/react-router";

interface LeaveUnsentProps {
  /** Approvals that are not sent yet. */
  readonly count: number;
  readonly onSend: () => void;
}

/** Asks what becomes of approvals that are not sent yet when another page is opened: without this page nothing is sent. */
export function LeaveUnsent({ count, onSend }: LeaveUnsentProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  const words = count === 1 ? "1 approval is" : `${count} approvals are`;
  return (
    <AlertDialog.Root open={blocker.status === "blocked"}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">
            {count === 0 ? "All approvals are sent" : `${words} not sent yet`}
          </AlertDialog.Title>
          <AlertDialog.Description>
            {count === 0
              ? "Their time to undo is over."
              : "They are sent when their time to undo is over, by this page alone."}
          </AlertDialog.Description>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => blocker.reset?.()}>
              Stay
            </button>
            {count > 0 && (
              <button type="button" className="button" onClick={() => blocker.proceed?.()}>
                Leave, send nothing
              </button>
            )}
            <button
              type="button"
              className="button button-primary"
              data-answers
              onClick={() => {
                if (count > 0) onSend();
                blocker.proceed?.();
              }}
            >
              {count === 0 ? "Leave" : "Send now and leave"}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
