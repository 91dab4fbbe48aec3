"use client";

import { useEffect, useRef, useState } from "react";
import { localTime } from "@/lib/api/forms/local-time";
import { Field } from "./field";
import { useTimeZone } from "./time";

interface Props {
  label: string;
  name: string;
  /** The initial instant, in Unix seconds. */
  unix?: number | null | undefined;
  /** Whether seconds can be entered. */
  withSeconds?: boolean;
  required?: boolean;
  className?: string;
}

/**
 * A field for a date and time in the browser's time zone, which the form sends along. On a first
 * visit without scripts the zone is UTC. `instantField` reads it.
 */
export function InstantField(props: Props) {
  const { label, name, withSeconds = false, required = false, className } = props;
  const zone = useTimeZone();
  const [unix] = useState(props.unix);
  const [shownIn, showIn] = useState(zone);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A time typed before the zone was known is in the zone that the field showed then.
    if (input.current?.value === input.current?.defaultValue) showIn(zone);
  }, [zone]);
  const before = localTime(unix, shownIn).slice(0, withSeconds ? 19 : 16);
  return (
    <Field label={label} hint={shownIn} {...(className !== undefined && { className })}>
      {(id) => (
        <>
          <input
            key={shownIn}
            ref={input}
            id={id}
            type="datetime-local"
            name={name}
            step={withSeconds ? 1 : 60}
            required={required}
            defaultValue={before}
            className="field"
          />
          <input type="hidden" name={`${name}_zone`} value={shownIn} />
          <input type="hidden" name={`${name}_before`} value={before} />
        </>
      )}
    </Field>
  );
}
