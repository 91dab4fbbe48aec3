"use client";

import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { Field } from "@/components/ui/field";
import { useOnDemand } from "@/components/ui/on-demand";
import { type Caret, LabelsPlain } from "./labels-plain";

interface Props {
  /** What the task carries. */
  labels: string[];
  /** What other tasks carry: suggestions, best first. */
  known: string[];
}

const loadCombobox = () => import("./labels-combobox");

/**
 * Labels as chips; Enter or a comma adds what was typed. What is not added yet is sent too, and split
 * at its commas: without scripts that is the only way. The suggestions are fetched with the focus.
 */
export function LabelsField({ labels, known }: Props) {
  const [combobox, want] = useOnDemand(loadCombobox);
  const [isHeld, setHeld] = useState(false);
  const [chosen, setChosen] = useState(() => [...new Set(labels)]);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<Caret>(undefined);

  // What was done before the scripts ran; the next render would empty the field.
  useLayoutEffect(() => {
    setTyped(input.current?.value ?? "");
    if (input.current === document.activeElement) want();
  }, [want]);

  const choose = (next: string[]) => {
    setChosen(next);
    // A press is an edit too: whoever guards the form's unsaved words listens for this.
    group.current?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const add = (words: string[]) => {
    const added = words.map((word) => word.trim()).filter((word) => word !== "");
    if (added.length > 0) choose([...new Set([...chosen, ...added])]);
  };
  const type = (text: string) => {
    const words = text.split(",");
    setTyped(words.pop() ?? "");
    add(words);
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || typed.trim() === "") return;
    event.preventDefault();
    add(typed.split(","));
    setTyped("");
    setOpen(false);
  };

  const control = { group, input, caret, chosen, choose, typed, type, addOnEnter, isOpen, setOpen };
  return (
    <Field label="Labels" hint="Enter or a comma adds one" className="min-w-0 sm:col-span-6">
      {(id) =>
        combobox && !isHeld ? (
          <combobox.LabelsCombobox
            {...control}
            id={id}
            offered={[...new Set([...known, ...labels])].filter((one) => !chosen.includes(one))}
          />
        ) : (
          <LabelsPlain
            {...control}
            id={id}
            prepare={() => void loadCombobox().catch(() => {})}
            want={want}
            isHeld={isHeld}
            setHeld={setHeld}
            setTyped={setTyped}
          />
        )
      }
    </Field>
  );
}
