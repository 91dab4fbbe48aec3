import type { ComponentProps } from "react";
import { Confirm } from "./confirm";

interface Props extends Omit<ComponentProps<typeof Confirm>, "label" | "title" | "confirm"> {
  /** What is deleted, such as "task". */
  noun: string;
}

/** A button that deletes what the page shows, after a confirmation. */
export function DeleteButton({ noun, ...question }: Props) {
  return (
    <Confirm
      label="Delete"
      title={`Delete this ${noun}?`}
      confirm={`Delete ${noun}`}
      {...question}
    />
  );
}
