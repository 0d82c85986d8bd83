import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useBlocker } from "@tanstack/react-router";

/** Asks before changes are lost: when another page is opened, or the tab is closed or reloaded. */
export function LeaveDialog({ isDirty }: { readonly isDirty: boolean }) {
  const blocker = useBlocker({
    // The tabs of a page are in its query.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <AlertDialog.Root open={blocker.status === "blocked"}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">Leave without saving?</AlertDialog.Title>
          <AlertDialog.Description>The changes of this page would be lost.</AlertDialog.Description>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => blocker.reset?.()}>
              Stay
            </button>
            <button
              type="button"
              className="button button-danger"
              onClick={() => blocker.proceed?.()}
            >
              Leave
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
