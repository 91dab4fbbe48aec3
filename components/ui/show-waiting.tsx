import { ShowNew } from "./show-new";

interface Props {
  added: number;
  removed: number;
  /** Visible rows have pending changes. */
  isChanged?: boolean;
  onShow(): void;
}

/** A button that applies the pending changes of the list below, at the top of the window. */
export function ShowWaiting({ added, removed, isChanged = false, onShow }: Props) {
  const counts = [added > 0 && `${added} new`, removed > 0 && `${removed} gone`]
    .filter(Boolean)
    .join(", ");
  const words = counts || (isChanged && "Show changes");
  const show = () => {
    window.scrollTo({ top: 0 });
    onShow();
  };
  return (
    <p
      role="status"
      className="pointer-events-none sticky top-2 z-3 -mb-8 flex h-8 items-center justify-center"
    >
      {words && <ShowNew onClick={show}>{words}</ShowNew>}
    </p>
  );
}
