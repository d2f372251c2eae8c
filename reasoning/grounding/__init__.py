"""What an answer may rest on, for every method: passages with numbered sentences, the gate, and the answer
step over them.

passages    evidence as a model is given it, a number a sentence
references  what a model wrote as a citation, closed over those numbers
gate        whether what was found may answer at all (case F28)
quotes      the rule: which sentences answer best
answering   the step: plain words over numbered sentences
"""
