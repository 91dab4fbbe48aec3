/** Empty: the layout explains why the link shows nothing. */
export default function NoSuchLink() {
  return null;
}
