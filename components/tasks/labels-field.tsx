"use client";

import dynamic from "next/dynamic";

/** The labels of a task. Its scripts come with the form, not with every list of tasks. */
export const LabelsField = dynamic(() => import("./labels-combobox"));
