"use client";

import type { FormAction } from "./action-form";
import { useOnPress } from "./on-demand";

export interface TestRequest {
  /** Of what the test is sent to. */
  id: string;
  /** What is sent, such as "request". */
  noun: string;
  /** undefined: there is nothing to choose. */
  methods?: string[];
  action: FormAction;
}

const loadPopover = () => import("./send-test-popover");

/** Sends a test, whose body can be changed first. */
export function SendTest(test: TestRequest) {
  const [popup, press] = useOnPress(loadPopover);
  const button = (pressed: typeof press | undefined) => (
    <button type="button" aria-haspopup="dialog" className="button button-primary" {...pressed}>
      Send a test {test.noun}
    </button>
  );
  if (!popup) return button(press);
  return <popup.SendTestPopover {...test} trigger={button(undefined)} />;
}
