"""Questions with options, for every method: what is asked of them, and how far passages bear each out.

stems       what a stem asks: which holds, which does not, yes or no
weighing    each sentence for and against each option
verdicts    yes, no and maybe
supporting  the options in order, and whether that settles the question
choosing    the step: one option, and the sentences that a person is told with it
examining   the same as a part of a method
"""
