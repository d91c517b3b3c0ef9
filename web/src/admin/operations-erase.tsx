import { ASKED_MAX, REASON_MAX } from '@courtledger/contracts/kernel/limits';
import type { ErasureAnswer, PersonAnswer } from '@courtledger/contracts/operations/audit.answers';
import { erasedText } from '@courtledger/contracts/operations/erasure.rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { Banner } from '../ui/banner.tsx';
import { TextAreaField, TextField, focusField } from '../ui/form-field.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { erasePerson, findPersons } from './audit.data.ts';
import { EditForm } from './edit-form.tsx';
import { goesInWords, kindInWords, staysInWords } from './operations.rules.ts';
import { QueryState } from './query-state.tsx';
import { useCommand } from './use-command.ts';

const List = ({ title, items }: { readonly title: string; readonly items: readonly string[] }): ReactElement => (
  <>
    <h3>{title}</h3>
    <ul className="erase__list">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </>
);

type EraseModalProps = {
  readonly person: PersonAnswer;
  readonly onClose: () => void;
  readonly onErased: (person: PersonAnswer, answer: ErasureAnswer | undefined) => void;
};

/** Says what goes and what stays, and asks for a reason and a deliberate yes: there is no way back. */
const EraseModal = ({ person, onClose, onErased }: EraseModalProps): ReactElement => {
  const [reason, setReason] = useState('');
  const [sure, setSure] = useState(false);
  const [alert, setAlert] = useState<string>();
  const command = useCommand();
  const touch = (): void => {
    setAlert(undefined);
    command.forget();
  };
  const erase = async (form: HTMLFormElement): Promise<void> => {
    const said = reason.trim();
    setAlert(said === '' ? 'A reason is required' : sure ? undefined : 'Confirm that you know it cannot be undone.');
    if (said === '' || !sure) {
      focusField(form, said === '' ? 'reason' : 'sure');
      return;
    }
    let answer: ErasureAnswer | undefined;
    const done = await command.run(async () => {
      answer = await erasePerson(person.personId, said);
    });
    if (done) onErased(person, answer);
  };
  return (
    <EditForm
      title="Erase a person"
      subtitle={<ScriptText text={[person.name, kindInWords(person.kind), person.of].filter((part) => part !== '').join(', ')} />}
      width={640}
      command={command}
      closeText="Keep"
      submitText="Erase for good"
      busyText="Erasing..."
      changed={reason.trim() !== '' || sure}
      alert={alert ?? command.refusal}
      save={erase}
      onClose={onClose}
    >
      <List title="What goes" items={goesInWords(person)} />
      <List title="What stays" items={staysInWords(person)} />
      <TextAreaField
        name="reason"
        label="Why? The audit keeps the reason: name nobody in it."
        maxLength={REASON_MAX}
        value={reason}
        onChange={(value) => {
          touch();
          setReason(value);
        }}
      />
      <label className="erase__sure">
        <input
          type="checkbox"
          name="sure"
          className="check"
          checked={sure}
          onChange={(event) => {
            touch();
            setSure(event.target.checked);
          }}
        />
        <span>I know that this cannot be undone.</span>
      </label>
    </EditForm>
  );
};

const columns = [
  { key: 'name', title: 'Name' },
  { key: 'kind', title: 'Who' },
  { key: 'of', title: 'Team or request' },
  { key: 'act', title: <span className="sr">Actions</span>, className: 'num' },
] as const;

/** Erases the details, photo and documents of a person for good; the facts about matches stay. */
export const EraseSection = (): ReactElement => {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const [chosen, setChosen] = useState<PersonAnswer>();
  const [said, setSaid] = useState<string>();
  const outcome = useRef<HTMLDivElement>(null);
  const found = useQuery(findPersons(asked));
  useEffect(() => {
    // The row whose button had the focus is gone.
    if (said !== undefined) outcome.current?.focus();
  }, [said]);
  const search = (event: FormEvent): void => {
    event.preventDefault();
    setSaid(undefined);
    setAsked(typed.trim());
  };
  const erased = (person: PersonAnswer, answer: ErasureAnswer | undefined): void => {
    setChosen(undefined);
    setAsked('');
    setTyped('');
    setSaid(
      answer?.already === true
        ? `This ${kindInWords(person.kind).toLowerCase()} was erased before.`
        : `Erased. ${erasedText(answer ?? {})} What was recorded in matches stays under “${person.stays.as}”.`,
    );
  };
  const data = asked === '' ? undefined : found.data;
  return (
    <section className="ops__sec" aria-label="Erase a person">
      <h2>Erase a person</h2>
      <p>
        Takes a person’s details, photos and documents away for good, also out of copies that are restored later and of what restores set aside. What was
        recorded about matches stays.
      </p>
      <search aria-label="Find a person">
        <form className="erase__acts" onSubmit={search}>
          <TextField name="text" label="Name, team, whole phone number or id" value={typed} maxLength={ASKED_MAX} onChange={setTyped} />
          <button type="submit" className="btn btn--s">
            Find
          </button>
        </form>
      </search>
      {said !== undefined && (
        <div ref={outcome} tabIndex={-1}>
          <Banner kind="ok" text={said} />
        </div>
      )}
      {asked !== '' && <QueryState query={found} />}
      {data?.persons.length === 0 && <output>Nobody is found.</output>}
      {data && data.persons.length > 0 && (
        <Ledger caption="Persons found" className="cards-m history" columns={columns}>
          {data.persons.map((person) => (
            <tr key={person.personId}>
              <th scope="row">
                <ScriptText text={person.name === '' ? 'No name' : person.name} />
              </th>
              <td data-l="Who">{kindInWords(person.kind)}</td>
              <td data-l="Team or request" className="mute">
                <ScriptText text={person.of} />
              </td>
              <td className="num">
                {person.erased ? (
                  <span className="mute">Erased</span>
                ) : (
                  <span className="row-acts">
                    <button
                      type="button"
                      className="btn btn--s btn--sm"
                      aria-label={`Erase ${person.name === '' ? kindInWords(person.kind).toLowerCase() : person.name}, ${person.of}`}
                      onClick={() => {
                        setChosen(person);
                      }}
                    >
                      Erase
                    </button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Ledger>
      )}
      {data?.more === true && <p className="mute">There are more: say more of the name.</p>}
      {chosen && (
        <EraseModal
          person={chosen}
          onErased={erased}
          onClose={() => {
            setChosen(undefined);
          }}
        />
      )}
    </section>
  );
};
