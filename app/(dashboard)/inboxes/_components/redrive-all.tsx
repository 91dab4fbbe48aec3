import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";

/** Makes every dead event ready again. */
export function RedriveAll({ id, dead, action }: { id: string; dead: number; action: FormAction }) {
  return (
    <ActionForm action={action} className="ml-auto">
      <input type="hidden" name="id" value={id} />
      <Submit className="button" successMessage="Ready again">
        Redrive {dead === 1 ? "the dead event" : `all ${dead.toLocaleString("en")} dead`}
      </Submit>
    </ActionForm>
  );
}
