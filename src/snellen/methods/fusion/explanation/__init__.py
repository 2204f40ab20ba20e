"""Why an insertion breaks the relation, by counterfactual questions."""
